/** Notices about an answer, as data from which each surface makes its own text. */
import { type Call, callsOf, type Text } from '../contract/text/text.ts';

export interface Notice {
  /** Identifies the kind for programs, such as `page_cut`. */
  readonly code: string;
  /** A warning is printed even with `--quiet`: without it the answer would be misread. */
  readonly severity: 'note' | 'warning';
  readonly text: Text;
  /** The values in the text, by name, for programs. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Commands that help. */
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
