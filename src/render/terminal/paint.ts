/** Colours and links of a terminal, with chalk. Loaded on demand. */
import { Chalk } from 'chalk';
import type { Tone } from '../../result/blocks.ts';
import type { Paint } from './colors.ts';

/** Only the sixteen standard colours, so that the terminal's own theme keeps them readable, light or dark. */
export function painter(): Paint {
  const chalk = new Chalk({ level: 1 });
  const tones: Readonly<Record<Tone, (text: string) => string>> = {
    plain: (text) => text,
    up: chalk.green,
    down: chalk.red,
    quiet: chalk.dim,
    strong: chalk.bold,
    // The usual yellow is unreadable on white.
    warn: chalk.magenta,
  };
  return (text, { tone, link }) => {
    const paintedText = tones[tone](text);
    return link?.startsWith('https://') === true ? hyperlink(paintedText, link) : paintedText;
  };
}

/**
 * OSC 8 ended by BEL, which cli-table3 measures correctly; a character outside printable ASCII could end the address
 * early.
 */
const hyperlink = (text: string, address: string): string =>
  /^[\x21-\x7e]+$/.test(address) ? `\u001b]8;;${address}\u0007${text}\u001b]8;;\u0007` : text;
