/**
 * The axes of breakdowns, by their names in taxonomies and data sets.
 * Names are compared without prefix and without the words that data sets omit (Statement, Axis), so that
 * us-gaap:StatementBusinessSegmentsAxis equals BusinessSegments.
 */
import type { SegmentAxis } from '../../contract/resources/segments.ts';
import type { Dimension } from '../../edgar/facts/fact-row.ts';

export type AxisName = SegmentAxis['axis'];

/** The tracked axes by their names; breakdowns along other axes are not read. */
const AXIS_BY_NAME: ReadonlyMap<string, AxisName> = new Map([
  ['BusinessSegments', 'segment'],
  ['SegmentReportingInformationBySegment', 'segment'],
  ['Segments', 'segment'],
  ['OperatingActivitiesSegment', 'segment'],
  ['Geographical', 'geography'],
  ['GeographicalAreas', 'geography'],
  ['ProductOrService', 'product'],
  ['ProductsAndServices', 'product'],
]);

/** Parent axis by subordinate axis: members of a subordinate axis are parts of the parent axis's members. */
const PARENT_AXIS_BY_NAME: ReadonlyMap<string, AxisName> = new Map([['Subsegments', 'segment']]);

/** Axes whose member says whether a fact is of operating segments or a reconciling item, such as eliminations. */
const QUALIFIER_AXES: ReadonlySet<string> = new Set([
  'ConsolidationItems',
  'SegmentConsolidationItems',
  'SubsegmentsConsolidationItems',
]);
/** Members of qualifier axes that do not change what a fact is: it is of an operating segment or of a region. */
const OPERATING_QUALIFIERS: ReadonlySet<string> = new Set([
  'OperatingSegments',
  'ReportableSubsegments',
  'ReportableGeographicalComponents',
]);

/** Matches members that denote the total of an axis. */
const TOTAL_MEMBER_PATTERN =
  /^(?:Segments?|BusinessSegments?|(?:Segment)?Geographical|GeographicalAreas|ProductsAndServices|ProductOrService|OperatingActivitiesSegment|EntitysTotalForSegmentConsolidationItems)(?:Domain)?$/;

/** Matches members that denote a group of other members of the axis. */
const AGGREGATE_MEMBER_PATTERN =
  /^(?:ReportableSegmentAggregation(?:BeforeOtherOperatingSegment)?|(?:Total)?(?:Reportable|Operating)Segments?)$/;

/** Returns a name in the short form that data sets use. */
export function shortenName(name: string): string {
  const local = name.slice(name.indexOf(':') + 1);
  return local.replace(/^Statement(?=[A-Z])/, '').replace(/(?:Axis|Member|Domain)$/, '');
}

const isOperatingQualifier = (member: string): boolean => OPERATING_QUALIFIERS.has(shortenName(member));

interface AxisMember {
  readonly axis: AxisName;
  readonly member: string;
}

const findTrackedAxis = (name: string): AxisName | undefined => AXIS_BY_NAME.get(name) ?? PARENT_AXIS_BY_NAME.get(name);

/**
 * Returns a fact's members on the tracked axes, and its qualifier (null for none and for "operating segments"). Null
 * for the total of an axis, and for a fact with other dimensions, which is only a part of a member.
 */
function readDimensions(dimensions: readonly Dimension[]) {
  const members: AxisMember[] = [];
  let qualifier: string | null = null;
  for (const { axis: prefixed, member } of dimensions) {
    const name = shortenName(prefixed);
    const axis = findTrackedAxis(name);
    if (member === null) return null;
    if (QUALIFIER_AXES.has(name)) {
      // The last qualifier is used: the axis of a part comes after the axis of the whole, and its qualifier says more.
      if (!isOperatingQualifier(member)) qualifier = member;
    } else if (axis === undefined || TOTAL_MEMBER_PATTERN.test(shortenName(member))) return null;
    else members.push({ axis, member });
  }
  return { members, qualifier };
}

/**
 * Returns a fact's members on the tracked axes, ignoring the qualifier "operating segments". If a fact has a member of
 * a subordinate axis, but none of the axis itself, that member counts as a member of the axis. Null for reconciling
 * items (corporate, eliminations), for the total of an axis, and for a fact with other dimensions, which is only a part
 * of a member.
 */
export function findAxisMembers(dimensions: readonly Dimension[]): readonly AxisMember[] | null {
  const { members, qualifier } = readDimensions(dimensions) ?? {};
  if (members === undefined || qualifier !== null) return null;
  return new Set(members.map(({ axis }) => axis)).size < members.length ? null : members;
}

/**
 * A fact's position on one axis: its member on that axis or on a subordinate axis, and its members on all other axes.
 */
interface AxisPosition {
  readonly axis: AxisName;
  readonly member: string;
  /** The parent member on the axis itself, if `member` is of a subordinate axis; otherwise null. */
  readonly parent: string | null;
  /**
   * All other members of the fact in a fixed order, including `parent`, excluding the qualifier "operating segments".
   */
  readonly otherMembers: readonly string[];
}

/**
 * Returns a fact's positions on the tracked axes; the fact may also have other axes. Empty for a fact without a tracked
 * axis, for a reconciling item, and for the total of an axis.
 */
export function findAxisPositions(dimensions: readonly Dimension[]): readonly AxisPosition[] {
  const nonQualifiers = dimensions.filter(({ axis }) => !QUALIFIER_AXES.has(shortenName(axis)));
  const isOperating = ({ axis, member }: Dimension) =>
    member !== null && (!QUALIFIER_AXES.has(shortenName(axis)) || isOperatingQualifier(member));
  const isTotal = ({ axis, member }: Dimension) =>
    AXIS_BY_NAME.has(shortenName(axis)) && TOTAL_MEMBER_PATTERN.test(shortenName(member ?? ''));
  if (!dimensions.every(isOperating) || nonQualifiers.some(isTotal)) return [];
  const list = (byName: ReadonlyMap<string, AxisName>, axisName: AxisName) =>
    nonQualifiers.filter(({ axis }) => byName.get(shortenName(axis)) === axisName).map(({ member }) => member ?? '');
  return AXIS_NAMES.flatMap((axis): AxisPosition[] => {
    const direct = list(AXIS_BY_NAME, axis);
    const subordinate = list(PARENT_AXIS_BY_NAME, axis);
    const [member] = [...subordinate, ...direct];
    if (member === undefined || direct.length > 1 || subordinate.length > 1) return [];
    const otherMembers = nonQualifiers.map((dimension) => dimension.member ?? '').filter((other) => other !== member);
    const parent = subordinate.length > 0 ? (direct[0] ?? null) : null;
    return [{ axis, member, parent, otherMembers: otherMembers.sort() }];
  });
}

export const AXIS_NAMES: readonly AxisName[] = ['segment', 'geography', 'product'];

/** A reconciling item: eliminations, corporate amounts, and others between the members of an axis and the total. */
interface ReconcilingItem {
  /** The tracked axis of the item's own member; null if the item is named by a qualifier alone. */
  readonly axis: AxisName | null;
  /** The item's own member, otherwise the qualifier. */
  readonly member: string;
  readonly qualifier: string;
}

/** Returns the reconciling item that a fact states; null for other facts, and for facts along other axes. */
export function findReconcilingItem(dimensions: readonly Dimension[]): ReconcilingItem | null {
  const { members, qualifier = null } = readDimensions(dimensions) ?? {};
  if (members === undefined || qualifier === null || members.length > 1) return null;
  return { ...(members[0] ?? { axis: null, member: qualifier }), qualifier };
}

/** Matches members of qualifier axes that are reconciling items, and not groups of segments. */
const RECONCILING_NAME_PATTERN =
  /Eliminat|Reconcil|Corporate|Unallocat|Inter-?[Ss]egment|Intercompany|Adjust|NonSegment|Consolidat|Other/;

/**
 * Returns the dimensions without a qualifier that names a group of segments, such as Microsoft's msft:CommercialMember;
 * null if the dimensions have no such qualifier.
 */
export function omitGroupQualifier(dimensions: readonly Dimension[]): readonly Dimension[] | null {
  const isGroup = ({ axis, member }: Dimension) =>
    QUALIFIER_AXES.has(shortenName(axis)) &&
    member !== null &&
    !isOperatingQualifier(member) &&
    !RECONCILING_NAME_PATTERN.test(shortenName(member));
  return dimensions.some(isGroup) ? dimensions.filter((dimension) => !isGroup(dimension)) : null;
}

/** A member of a subordinate axis, which is a part of a member of the axis itself. */
interface AxisPart extends AxisMember {
  readonly parent: string;
}

/** Returns the part that a fact states, if the fact has no other axes; otherwise null. */
export function findAxisPart(dimensions: readonly Dimension[]): AxisPart | null {
  const position = findAxisPositions(dimensions).find(({ parent }) => parent !== null);
  if (position === undefined || position.parent === null || position.otherMembers.length > 1) return null;
  return { axis: position.axis, member: position.member, parent: position.parent };
}

/** Whether a member denotes a group of other members of its axis. */
export const isAggregate = (member: string): boolean => AGGREGATE_MEMBER_PATTERN.test(shortenName(member));

const REGION_DISPLAY_NAMES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** Labels for standard members whose names make poor labels, such as `us-gaap:NonUsMember`. */
const LABEL_BY_MEMBER_NAME: ReadonlyMap<string, string> = new Map([
  ['NonUs', 'Non-US'],
  ['EMEA', 'EMEA'],
  ['AllOtherSegments', 'All Other'],
  ['ProductAndServiceOther', 'Other'],
  ['ServiceOther', 'Service and Other'],
  ['ReportableSegmentAggregationBeforeOtherOperatingSegment', 'Reportable segments'],
  ['IntersegmentElimination', 'Intersegment eliminations'],
  ['ConsolidationEliminations', 'Consolidation eliminations'],
  ['CorporateNonSegment', 'Corporate, outside segments'],
  ['MaterialReconcilingItems', 'Reconciling items'],
]);

/**
 * Returns the name of the reconciling item of a member that also has an amount of its own, such as the sales of one
 * segment to the others.
 */
export const makeItemName = ({ member, qualifier }: Omit<ReconcilingItem, 'axis'>): string => `${member} ${qualifier}`;

/** Whether a name is one of `makeItemName`. */
export const isItemOfMember = (name: string): boolean => name.includes(' ');

/**
 * Returns a label: the country of a country code, otherwise the filer's own label, otherwise text made from the
 * member's name.
 */
export function labelMember(member: string, labels: ReadonlyMap<string, string>): string {
  const [memberName = '', qualifier] = member.split(' ');
  if (qualifier !== undefined) return `${labelMember(memberName, labels)}: ${labelMember(qualifier, labels)}`;
  const name = shortenName(member);
  // Country members are handled first, because their taxonomy labels are in capitals.
  const country = findCountryName(member, name);
  if (country !== null) return country;
  const label = labels.get(member);
  if (label !== undefined && label !== '') return label;
  return LABEL_BY_MEMBER_NAME.get(name) ?? addSpaces(name.replace(/(?<=.)Segment$/, ''));
}

/**
 * Returns the English name of a country code, either a member of the taxonomy of countries or a bare code in a data
 * set; otherwise null.
 */
function findCountryName(member: string, name: string): string | null {
  if (!/^[A-Z]{2}$/.test(name) || (member.includes(':') && !member.startsWith('country:'))) return null;
  return REGION_DISPLAY_NAMES.of(name) ?? null;
}

/** Words that end in "and" or "of" but are complete, unlike `Marketingand` in MarketingandCommerceCloud. */
const COMPLETE_WORD_PATTERN =
  /^Thailand$|(?<![^e]a|ai|oi|ee|ue)land$|^(?:Br|Gr|St|H|S|B|W|Str|Comm|Dem|Exp)and$|oof$|^Thereof$/;

/**
 * Inserts spaces: `RestOfAsiaPacific` becomes Rest of Asia Pacific. Does not split after a single capital, as in
 * IPhone.
 */
const addSpaces = (name: string): string =>
  name
    .replace(/[A-Z][a-z]+(?:and|of)(?=[A-Z])/g, (word) =>
      COMPLETE_WORD_PATTERN.test(word) ? word : word.replace(/(?:and|of)$/, ' $& '),
    )
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]{2,})([A-Z][a-z])/g, '$1 $2')
    .replace(/ (?:And|Of|The|For|In|To|From|Or|Excluding|Including)(?= )/g, (word) => word.toLowerCase())
    .trim();
