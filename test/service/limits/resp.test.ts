import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeCommand, type Reply, ReplyReader, RespError } from '../../../src/service/limits/resp.ts';

test('a command is an array of counted strings', () => {
  expect(encodeCommand(['SET', 'clé', 5])).toBe('*3\r\n$3\r\nSET\r\n$4\r\nclé\r\n$1\r\n5\r\n');
});

test('replies of every kind are read', () => {
  const bytes = Buffer.from(
    '+OK\r\n:-5\r\n$5\r\nh\r\nlo\r\n$-1\r\n*3\r\n:1\r\n*1\r\n+x\r\n$0\r\n\r\n*-1\r\n-ERR no\r\n',
  );
  expect(new ReplyReader().push(bytes)).toEqual([
    'OK',
    -5,
    'h\r\nlo',
    null,
    [1, ['x'], ''],
    null,
    new RespError('ERR no'),
  ]);
});

test('replies come out the same however the bytes are cut', () => {
  const text = '+OK\r\n*3\r\n:1\r\n$3\r\na\r\n\r\n-E\r\n:7\r\n';
  const whole = new ReplyReader().push(Buffer.from(text));
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 8 }), (cuts) => {
      const reader = new ReplyReader();
      const places = [0, ...cuts.sort((a, b) => a - b), text.length];
      const replies: Reply[] = [];
      for (let index = 1; index < places.length; index += 1) {
        replies.push(...reader.push(Buffer.from(text.slice(places[index - 1], places[index]))));
      }
      expect(replies).toEqual(whole);
    }),
  );
});

test('what is not the protocol, or without bounds, is refused', () => {
  expect(() => new ReplyReader().push(Buffer.from('HTTP/1.1 400 Bad Request\r\n'))).toThrow('not Redis');
  expect(() => new ReplyReader().push(Buffer.alloc(1_000_001, '+'))).toThrow('too long');
  expect(() => new ReplyReader().push(Buffer.from('*1\r\n'.repeat(6)))).toThrow('nested too deep');
});
