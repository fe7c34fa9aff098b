#!/bin/sh
# Refuses rm. The settings file runs this for rm only ("if": "Bash(rm *)"), behind sudo, in a chain or inside bash -c as well.
echo 'rm is refused in this project. Use "git rm", which can be undone.' >&2
exit 2
