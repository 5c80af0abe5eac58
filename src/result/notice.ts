/** Notices about an answer, as data that fin formats differently for a terminal, for assistants and for programs. */
import { type CommandCall, listCalls, type Text } from '../contract/text/text.ts';

export interface Notice {
  /** Identifies the kind of notice for programs, such as `page_cut`. */
  readonly code: string;
  /** `warning` if the answer would be misread without the notice; warnings are printed even with `--quiet`. */
  readonly severity: 'note' | 'warning';
  readonly text: Text;
  /** Values that occur in the text, by name, for programs. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The commands that the text suggests. */
  readonly calls: readonly CommandCall[];
}

type NoticeValues = Notice['values'];

export const makeNote = (code: string, text: Text, values: NoticeValues = {}): Notice => ({
  ...{ code, severity: 'note', text, values },
  calls: listCalls(text),
});

/** Returns the note if the condition holds; otherwise an empty list. */
export const makeNoteIf = (condition: boolean, ...note: Parameters<typeof makeNote>): readonly Notice[] =>
  condition ? [makeNote(...note)] : [];

export const makeWarning = (code: string, text: Text, values: NoticeValues = {}): Notice => ({
  ...makeNote(code, text, values),
  severity: 'warning',
});
