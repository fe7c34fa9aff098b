#!/bin/sh
# Stops a prompt that holds what looks like an API key, before any model reads it.
if grep -Eq 'sk-[A-Za-z0-9]{16,}'; then
  echo 'The prompt holds what looks like an API key. Take it out and send it again.' >&2
  exit 2
fi
