/** What is reported about an answer: data, of which each surface makes its own text. */
import { type Call, callsOf, type Text } from '../contract/text.ts';

export interface Notice {
  /** Names the kind for programs, such as `page_cut`. */
  readonly code: string;
  /** A warning is printed with `--quiet` too: without it the answer would be misread. */
  readonly severity: 'note' | 'warning';
  readonly text: Text;
  /** What the text states, by name, for programs. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The commands that help. */
  readonly calls: readonly Call[];
}

type Values = Notice['values'];

export const noteOf = (code: string, text: Text, values: Values = {}): Notice => ({
  ...{ code, severity: 'note', text, values },
  calls: callsOf(text),
});

export const warningOf = (code: string, text: Text, values: Values = {}): Notice => ({
  ...noteOf(code, text, values),
  severity: 'warning',
});
