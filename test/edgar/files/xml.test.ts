import { expect, test } from 'vitest';
import { findChildren, findDescendant, parseXml, readTextAt, XmlError } from '../../../src/edgar/files/xml.ts';

test('element names are read without prefixes, and text is trimmed', () => {
  const root = parseXml(
    '\n<?xml version="1.0"?>\n<ns1:a x:kind="k"><ns1:b> 1 &amp; 2 </ns1:b><b><![CDATA[<3>]]></b></ns1:a>',
  );
  expect(root.name).toBe('a');
  expect(root.attributes.kind).toBe('k');
  expect(findChildren(root, 'b').map((child) => child.text)).toEqual(['1 & 2', '<3>']);
  expect(readTextAt(root, 'b')).toBe('1 & 2');
  expect(findDescendant(root, 'b', 'c')).toBeNull();
  expect(readTextAt(root, 'missing')).toBeNull();
});

test('elements that the caller consumes are not in the returned tree', () => {
  const rowValues: string[] = [];
  const root = parseXml('<t><row><v>1</v></row><row><v>2</v></row></t>', (element) => {
    if (element.name !== 'row') return false;
    rowValues.push(readTextAt(element, 'v') ?? '');
    return true;
  });
  expect(rowValues).toEqual(['1', '2']);
  expect(root.children).toEqual([]);
});

test('documents that define entities, are deeply nested or have broken markup are refused', () => {
  const entityBomb = '<!DOCTYPE t [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><t>&b;</t>';
  expect(() => parseXml(entityBomb)).toThrow(XmlError);
  expect(() => parseXml('<d>'.repeat(65) + '</d>'.repeat(65))).toThrow(/deep/);
  expect(() => parseXml('<a><b></a>')).toThrow(/^1:\d+: /);
  expect(() => parseXml('')).toThrow(XmlError);
  expect(() => parseXml('<html><body>not found</html>')).toThrow(XmlError);
});
