#!/bin/sh
# Tells the model, before the first prompt, what it would otherwise have to find out. Plain output of SessionStart is context.
echo 'A Node project without dependencies: code in src/, tests in test/, run them with "node --test".'
