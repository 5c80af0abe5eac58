#!/usr/bin/env node
// The bundle of src/start.ts, which loads the others.
require('../dist/start.cjs');
