/** Falsifies documents with known lengths, and counts the items that are still proven with wrong bounds. */

const KINDS = ['heading deleted', '"Item N" deleted', 'twin inserted'];
/** Maximum difference of a bound, in characters of the source. */
const TOLERANCE = 100;

/** Returns, for each kind of falsification, the number of trials and the false proofs. */
export function falsify(reading, documents, trials) {
  const random = makeRandom(20_261_129);
  const rows = Object.fromEntries(KINDS.map((kind) => [kind, { trials: 0, false: 0, refused: 0 }]));
  const faults = [];
  for (let trial = 0; trial < trials; trial++) {
    const kind = KINDS[trial % KINDS.length];
    const { name, bytes, form, day } = documents[random(documents.length)];
    const source = new TextDecoder().decode(bytes);
    const before = read(reading, source, name, form, day);
    const proven = before.items.filter(({ start }) => start !== null);
    if (proven.length === 0) continue;
    const item = proven[random(proven.length)];
    const edit = EDITS[kind](source, before.document, item, random);
    if (edit === null) continue;
    const changed = source.slice(0, edit.at) + edit.text + source.slice(edit.end);
    const after = read(reading, changed, name, form, day);
    const shift = edit.end - edit.at - edit.text.length;
    const toOriginal = (offset) => (offset <= edit.at + edit.text.length ? Math.min(offset, edit.at) : offset + shift);
    const wrong = after.items.filter((other) => {
      if (other.start === null) return false;
      const original = before.items.find(({ part, item }) => part === other.part && item === other.item);
      if (original?.start == null) return true;
      return [other.start, other.end].some(
        ({ offset }, index) => Math.abs(toOriginal(offset) - [original.start, original.end][index].offset) > TOLERANCE,
      );
    });
    rows[kind].trials++;
    if (wrong.length > 0) rows[kind].false++;
    rows[kind].refused += after.items.filter(({ status }) => status === 'refused').length;
    for (const other of wrong)
      faults.push(`${kind}: ${name} ${item.part} ${item.item} → ${other.part} ${other.item} ${other.heading}`);
  }
  return { rows, faults };
}

function read(reading, source, name, form, day) {
  const document = reading.readDocument(new TextEncoder().encode(source), name);
  return { document, items: reading.findItems(document, form, day) };
}

const textOf = (html) => html.replace(/<[^>]*>/g, '');

const EDITS = {
  'heading deleted': (source, { blocks }, { start }) => {
    const { start: at, end } = blocks[start.block];
    return { at, end, text: source.slice(at, end).replace(/(<[^>]*>)|[^<]+/g, (_, tag) => tag ?? '') };
  },
  '"Item N" deleted': (source, { blocks }, { start }) => {
    const { start: at, end } = blocks[start.block];
    const slice = source.slice(at, end);
    const text = slice.replace(/Items?(?:\s|&#160;|&nbsp;|<[^>]*>)*\d{1,2}[A-K]?\.?/i, (match) =>
      (match.match(/<[^>]*>/g) ?? []).join(''),
    );
    return text === slice ? null : { at, end, text };
  },
  'twin inserted': (source, { blocks }, { start }, random) => {
    const others = blocks.filter(
      (block, index) => (index < start.block || index > start.block + 3) && index > 60 && block.kind === 'text',
    );
    const { start: at } = others[random(others.length)];
    const heading = textOf(source.slice(blocks[start.block].start, blocks[start.block].end));
    return { at, end: at, text: `<div><b>${heading}</b></div>` };
  },
};

/** Returns a function that draws whole numbers below a limit, the same ones in each run. */
function makeRandom(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
