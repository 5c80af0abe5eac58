#!/usr/bin/env node
// The door: start the bundle of src/cli.ts as fast as node can.
// The compile cache (node 22.8 and later) keeps what V8 made of it from one run to the next.
require('node:module').enableCompileCache?.();
require('../dist/cli.cjs');
