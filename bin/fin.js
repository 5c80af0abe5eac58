#!/usr/bin/env node
// The door: start the bundle of src/cli.ts as fast as node can.
require('../dist/start.cjs');
