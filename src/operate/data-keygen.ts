import type { UtilityCommand } from '../commands/command-line/utility.ts';
import { makeFieldsBlock, makeNoteBlock } from '../result/blocks.ts';
import { pickFields } from '../result/rows.ts';

const dataKeygenCommand: UtilityCommand = {
  local: true,
  help: [
    'Writes a new private key (Ed25519) to a file that only its owner can read, and prints the public key. To sign a',
    'release, publish it with --sign-key <file>; a pull with the public key then accepts only releases signed with the private',
    'key. Keep the file: a lost private key cannot be recovered. If the output goes to a',
    'pipe or a file, or with --quiet, only the public key is printed.',
  ].join('\n'),
  args: [{ name: 'file', help: 'New file for the private key; it must not exist yet' }],
  examples: { 'data keygen release.key': 'the public key, for users who pull the release' },
  run: async ({ args: [file = ''], globals, io }) => {
    const { writeNewKeyPair } = await import('../publish/signing.ts');
    const { text, id } = writeNewKeyPair(file);
    if (globals.format === 'table' && (globals.quiet || !io.outIsTerminal)) {
      io.print(`${text}\n`);
      return undefined;
    }
    const keyPair = { public_key: text, id, file };
    return {
      json: keyPair,
      rows: pickFields(['public_key', 'id', 'file'], [keyPair]),
      view: [
        makeFieldsBlock([
          ['Public key', { text, tone: 'strong' }],
          ['Id', id],
          ['Private key', file],
        ]),
        makeNoteBlock(`To verify releases when pulling: fin data pull <url> --public-key ${text}`),
      ],
    };
  },
};

export default dataKeygenCommand;
