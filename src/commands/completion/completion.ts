import { Failure } from '../../contract/failure.ts';
import { didYouMean } from '../../contract/nearest.ts';
import type { UtilityCommand } from '../utilities/utility.ts';
import { SCRIPTS, SHELLS } from './completion-scripts.ts';

const completion: UtilityCommand = {
  name: 'completion',
  summary: 'Print the completion script of a shell',
  help: 'Tickers are completed from the release on this machine; completion sends no request.',
  args: [{ name: 'shell', help: 'bash, zsh or fish', values: SHELLS }],
  options: [],
  examples: [
    { line: 'completion bash', shows: 'in ~/.bashrc: eval "$(fin completion bash)"' },
    { line: 'completion zsh', shows: 'saved as _fin in a directory of fpath' },
    { line: 'completion fish', shows: 'saved as ~/.config/fish/completions/fin.fish' },
  ],
  run: async ({ args: [shell = ''], io }) => {
    const known = SHELLS.find((name) => name === shell);
    if (known === undefined) {
      const message = `There is no completion for ${JSON.stringify(shell)}.${didYouMean(shell, SHELLS)}`;
      throw new Failure('usage', message, { hint: `The shells are ${SHELLS.join(', ')}.` });
    }
    io.print(SCRIPTS[known]);
    return undefined;
  },
};

export default completion;
