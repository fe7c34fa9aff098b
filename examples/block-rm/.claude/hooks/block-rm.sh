#!/bin/sh
# Exit code 2 blocks, and what stands on standard error is what the model reads.
echo 'rm is refused here. Use "git rm", which can be undone.' >&2
exit 2
