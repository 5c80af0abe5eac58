import { fields, note } from '../../../result/blocks.ts';
import { pick } from '../../../result/rows.ts';
import type { UtilityCommand } from '../utility.ts';

const dataKeygen: UtilityCommand = {
  local: true,
  help: [
    'Writes a new private key (Ed25519) to a file that only its owner can read, and prints the public key. Publish with',
    '--sign-key <file>; a pull with the public key accepts only what was signed so. Keep the file: a lost private key cannot',
    'be made again. In a pipe, only the public key is printed.',
  ].join('\n'),
  args: [{ name: 'file', help: 'Where the private key goes; it must not be there yet' }],
  options: [],
  examples: [{ line: 'data keygen release.key', shows: 'the public key, to be given to those who pull' }],
  run: async ({ args: [file = ''], globals, io, ports }) => {
    const { makeKeyPair } = await ports.publishing();
    const { text, id } = makeKeyPair(file);
    if (globals.format === 'table' && (globals.quiet || !io.outIsTerminal)) {
      io.print(`${text}\n`);
      return undefined;
    }
    const made = { public_key: text, id, file };
    return {
      json: made,
      rows: pick(['public_key', 'id', 'file'], [made]),
      view: [
        fields([
          ['Public key', { text, tone: 'strong' }],
          ['Id', id],
          ['Private key', file],
        ]),
        note(`To pull with it: fin data pull <url> --public-key ${text}`),
      ],
    };
  },
};

export default dataKeygen;
