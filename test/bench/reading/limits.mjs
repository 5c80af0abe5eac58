/** Visible text against that of parse5, time and memory of large documents, and documents made to exhaust either. */
import { execFileSync } from 'node:child_process';
import { parse } from 'parse5';

const MB = 2 ** 20;
const HIDDEN = new Set(
  'datalist head iframe ix:header noembed noframes noscript object script select style template textarea title'.split(
    ' ',
  ),
);
const MAX_OWN_PATTERN_MS = 3000;

/** Compares the letters of each HTML document with those that parse5 finds. */
export function compareVisibleText(reading, documents, misses) {
  const squeeze = (text) => text.replace(/[^\p{L}\p{N}]/gu, '');
  let equal = 0;
  const different = [];
  for (const { name, bytes } of documents) {
    const document = reading.readDocument(bytes, name);
    if (document.format !== 'html') continue;
    const own = squeeze(document.blocks.map(({ text }) => text).join(' '));
    const other = squeeze(visibleText(parse(decode(bytes))));
    if (own === other) equal++;
    else if (sortLetters(own) === sortLetters(other)) different.push(`${name}: in another order`);
    else different.push(`${name}: ${own.length} letters, parse5 ${other.length}`);
  }
  console.log(`visible text equal to parse5's in ${equal} of ${equal + different.length} documents`);
  for (const text of different) console.log(`  ${text}`);
  if (different.some((text) => !text.endsWith('order'))) misses.push('visible text');
}

const sortLetters = (text) => [...text].sort().join('');

function decode(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function visibleText(root) {
  const texts = [];
  const stack = [root];
  while (stack.length > 0) {
    const node = stack.pop();
    if (node.nodeName === '#text') texts.push(node.value);
    const style =
      node.attrs
        ?.find(({ name }) => name === 'style')
        ?.value.toLowerCase()
        .replace(/\s/g, '') ?? '';
    const isHidden =
      style.includes('display:none') ||
      style.includes('visibility:hidden') ||
      node.attrs?.some(({ name }) => name === 'hidden');
    if (HIDDEN.has(node.nodeName) || isHidden) continue;
    stack.push(...(node.childNodes ?? []).toReversed());
  }
  return texts.join('');
}

/** Measures processor time and memory of each case in a process of its own, as a command would read one document. */
export function measureSpeed(bundle, documents, misses) {
  const large = documents.toSorted((a, b) => b.bytes.length - a.bytes.length);
  console.log('time and memory:');
  const [first] = large;
  const joined = Buffer.concat(large.slice(0, 8).map(({ bytes }) => bytes)).subarray(0, 25 * MB);
  const nine = large.filter(({ form }) => form === '10-K').slice(0, 9);
  const cases = [
    { name: 'reads 4 MB', input: first.bytes, code: 'readItems(input)', maxMs: 500, maxMb: 150 },
    { name: 'reads 25 MB', input: joined, code: 'readItems(input)', maxMs: 2000, maxMb: null },
    {
      name: 'searches nine 10-Ks',
      input: Buffer.concat(nine.map(({ bytes }) => bytes)),
      code: 'search(input)',
      maxMs: 1500,
      maxMb: null,
    },
  ];
  for (const { name, input, code, maxMs, maxMb } of cases) {
    const { ms, mb } = runAlone(bundle, input, code);
    console.log(`  ${name}: ${ms} ms, ${mb} MB`);
    if (ms > maxMs || (maxMb !== null && mb > maxMb)) misses.push(name);
  }
}

function runAlone(bundle, input, code) {
  const script = `
    const reading = require(${JSON.stringify(bundle)});
    const input = require('node:fs').readFileSync(0);
    const readItems = (bytes) => { const document = reading.readDocument(bytes, 'x.htm'); rss = process.memoryUsage.rss(); reading.findItems(document, '10-K', '2024-01-31'); };
    let start = process.cpuUsage();
    let rss = 0;
    const search = (bytes) => {
      const document = reading.readDocument(bytes, 'x.htm');
      start = process.cpuUsage();
      return reading.makeSearch('tariffs?|supply chain', { fixed: false, context: 10 })(document, []);
    };
    ${code};
    const { user, system } = process.cpuUsage(start);
    const mb = Math.round(Math.max(rss, process.memoryUsage.rss()) / 2 ** 20);
    console.log(JSON.stringify({ ms: Math.round((user + system) / 1000), mb }));`;
  return JSON.parse(execFileSync(process.execPath, ['-e', script], { input, maxBuffer: 64 * MB, encoding: 'utf8' }));
}

/** Reads documents that nest, repeat or escape without end; each must be read or refused in bounded time. */
export function measureHostile(reading, misses) {
  const count = 1_000_000;
  const cases = {
    'a million open elements': '<html><div>'.repeat(count),
    'a million open inline elements': `<html>${'<b>x'.repeat(count)}`,
    'closing tags without elements': `<html>${'<div>'.repeat(1900)}${'</i>'.repeat(count)}`,
    'a million attributes': `<html><p ${'a=b '.repeat(count)}>text`,
    'a million attributes of different names': `<html><p ${Array.from({ length: count }, (_, index) => `a${index}=b`).join(' ')}>text`,
    'a million entities': `<html><p>${'&amp;&#160;'.repeat(count)}`,
    'a million cells': `<html><table><tr>${'<td>x'.repeat(count)}</table>`,
    'a thousand nested tables': `<html>${'<table><tr><td>x'.repeat(600)}`,
    'one paragraph of 20 MB': `<html><p>${'word '.repeat(4 * count)}`,
    'one word of 20 MB': `<html><p>${'w'.repeat(20 * count)}`,
    'a comment without end': `<html><!-- ${'-'.repeat(4 * count)}`,
    'two million blocks': `<html>${'<p>x'.repeat(2 * count)}`,
  };
  for (let code = 32; code < 127; code++) {
    const character = String.fromCharCode(code);
    cases[`1 MB of ${character} in HTML`] = `<html><p>Item 1A. Risk Factors ${character.repeat(MB)}`;
    cases[`1 MB of ${character} as text`] = `Item 1A. Risk Factors ${character.repeat(MB)}`;
    cases[`1 MB of ${character} in an attribute`] = `<html><p style="${character.repeat(MB)}">text`;
  }
  let slowest = { name: '', ms: 0 };
  for (const [name, source] of Object.entries(cases)) {
    const start = process.cpuUsage();
    let result = 'read';
    try {
      const document = reading.readDocument(Buffer.from(source), 'hostile.htm');
      reading.findItems(document, '10-K', '2024-01-31');
      reading.sectionText(document, null, 'text');
      reading.sectionText(document, null, 'markdown');
      reading.makeSearch('risk', { fixed: true, context: 5 })(document, []);
    } catch (error) {
      if (!reading.isFailure?.(error) && error.code !== 'fin:failure') throw error;
      result = error.message;
    }
    const { user, system } = process.cpuUsage(start);
    const ms = Math.round((user + system) / 1000);
    if (!name.startsWith('1 MB')) console.log(`  ${name}: ${ms} ms, ${result}`);
    if (ms > slowest.ms) slowest = { name, ms };
  }
  console.log(`  slowest: ${slowest.name}, ${slowest.ms} ms`);
  if (slowest.ms > MAX_OWN_PATTERN_MS) misses.push(slowest.name);
}
