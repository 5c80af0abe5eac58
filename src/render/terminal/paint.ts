/** Colours and links on a terminal. Loaded on demand, because it imports chalk. */
import { Chalk } from 'chalk';
import type { Tone } from '../../result/blocks.ts';
import type { Paint } from './colors.ts';

/** Uses only the sixteen standard colours, because the terminal's theme adapts these to its background. */
export function createPaint(): Paint {
  const chalk = new Chalk({ level: 1 });
  const painters: Readonly<Record<Tone, (text: string) => string>> = {
    plain: (text) => text,
    up: chalk.green,
    down: chalk.red,
    quiet: chalk.dim,
    strong: chalk.bold,
    // Standard yellow is unreadable on a white background.
    warn: chalk.magenta,
  };
  return (text, { tone, link }) => {
    const painted = painters[tone](text);
    return link?.startsWith('https://') === true ? formatHyperlink(painted, link) : painted;
  };
}

/**
 * An OSC 8 hyperlink terminated by BEL, because cli-table3 measures that form correctly. Only printable ASCII is
 * allowed, because other characters could terminate the address.
 */
const formatHyperlink = (text: string, address: string): string =>
  /^[\x21-\x7e]+$/.test(address) ? `\u001b]8;;${address}\u0007${text}\u001b]8;;\u0007` : text;
