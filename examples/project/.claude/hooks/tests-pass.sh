#!/bin/sh
# The agent may stop when the tests pass. Until then it is sent back with the names of those that fail.
cd "$CLAUDE_PROJECT_DIR" || exit 1
output=$(node --test --test-reporter=tap 2>&1) && exit 0
echo 'The tests fail, so you are not done:' >&2
printf '%s\n' "$output" | grep 'not ok' >&2
exit 2
