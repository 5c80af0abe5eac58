import zsh from '../../../completions/_fin?raw';
import bash from '../../../completions/fin.bash?raw';
import fish from '../../../completions/fin.fish?raw';
import { failUsage } from '../../contract/failure.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { formatAlternatives } from '../../contract/text/quote.ts';
import type { UtilityCommand } from '../command-line/utility.ts';

/**
 * Completion scripts: on TAB, the shell runs `fin __complete`, which prints a value, a tab and a description per line.
 * An empty value tells the shell to complete a path itself; the description is then the kind of path. bash splits words at
 * colons and replaces only the last part, so its script removes the earlier parts from each value; it avoids mapfile and
 * negative subscripts, because macOS ships bash 3.2.
 */
const SCRIPTS = { bash, zsh, fish };
const SHELLS = ['bash', 'zsh', 'fish'] as const;

const completionCommand: UtilityCommand = {
  local: true,
  help: 'Tickers are completed from the release on this machine; completion sends no request.',
  args: [{ name: 'shell', help: 'bash, zsh or fish', values: SHELLS }],
  examples: {
    'completion bash': 'the script for bash; in ~/.bashrc: eval "$(fin completion bash)"',
    'completion zsh': 'the script for zsh; save it as _fin in a directory of fpath',
    'completion fish': 'the script for fish; save it as ~/.config/fish/completions/fin.fish',
  },
  run: async ({ args: [shell = ''], io }) => {
    const match = SHELLS.find((name) => name === shell);
    if (match === undefined) {
      const message = `Unknown shell ${JSON.stringify(shell)}.${didYouMean(shell, SHELLS)}`;
      failUsage(message, `Use ${formatAlternatives(SHELLS)}.`);
    }
    io.print(SCRIPTS[match]);
  },
};

export default completionCommand;
