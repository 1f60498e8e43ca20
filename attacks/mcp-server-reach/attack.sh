#!/bin/sh
# The agent and its servers are the attack: see agent.py.
:
