#!/usr/bin/env node
// Runs the bundle of src/start.ts, which loads the other bundles.
require('../dist/start.cjs');
