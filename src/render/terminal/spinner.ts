/** A progress line on a terminal, by ora. Loaded on demand. */
import ora from 'ora';

export interface Spinner {
  show(line: string): void;
  stop(): void;
}

export function openSpinner(stream: NodeJS.WriteStream): Spinner {
  // ora must not read stdin, which the command reads, nor handle signals, which fin itself handles.
  const spinner = ora({ stream, discardStdin: false, isEnabled: true, spinner: 'line' });
  return {
    show: (line) => {
      spinner.text = line;
      if (!spinner.isSpinning) spinner.start();
    },
    stop: () => {
      spinner.stop();
    },
  };
}
