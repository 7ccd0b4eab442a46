import { EventEmitter, once } from "node:events";
import { memoize } from "~/lib/memoize.server";
import { getDb } from "~db/connection.server";
import { isIssuingSince } from "~db/repositories/certificates.server";
import { type Finished, type RecordedOrder, signAll, type SignedOrders, storeSigned } from "./finishing.server";
import { type AskedApproval, judgeCsrs, readOpen, type Refused } from "./preparing.server";
import { recordApprovals, type RecordedApprovals } from "./recording.server";

/** How many orders are recorded in one transaction at most. Other requests get no turn during it, and other writers wait. */
const LARGEST_GROUP = 25;

/** How many approvals do not wait for others to join them. */
const SMALL_GROUP = 8;

/**
 * Returns how many of the waiting approvals go together. Nothing is signed while the first of many are recorded, or while the last of them
 * are stored. So the first group of many is small, and the last ones become smaller.
 */
function nextSize(waiting: number, isFirst: boolean): number {
  if (waiting < 2 * SMALL_GROUP) return waiting;
  return isFirst ? SMALL_GROUP : Math.min(LARGEST_GROUP, Math.ceil(waiting / 2));
}

interface Waiting extends AskedApproval {
  now: Date;
  /** Whether the caller asked for no other approval, and so may ask for the next one when this one is answered. */
  isSingle: boolean;
  tell: (finished: Finished) => void;
}

/** The approvals of this process that wait for their turn. */
interface Line {
  waiting: Waiting[];
  isMoving: boolean;
  /** Resolves when the certificates that are being signed are done. */
  signing: Promise<unknown>;
  /** Resolves when the certificates that are being stored are done. */
  storing: Promise<void>;
  /** When somebody was last told what came of an approval, in milliseconds of the process. */
  toldAt: number;
  /** How many callers of single approvals were answered when the last group was stored and have not asked again, and when that was. */
  answered: { count: number; at: number };
  /** Emits "approval" when one comes into the line. */
  arrivals: EventEmitter;
}

const line = memoize((): Line => ({
  waiting: [],
  isMoving: false,
  signing: Promise.resolve(),
  storing: Promise.resolve(),
  toldAt: -Infinity,
  answered: { count: 0, at: -Infinity },
  arrivals: new EventEmitter(),
}));

/** How long after an approval the next one is expected, in milliseconds. */
const NEXT_WITHIN_MS = 1000;

/** Returns whether this process approves orders now, or did so within the last second. */
export function isApproving(): boolean {
  const { isMoving, toldAt } = line();
  return isMoving || performance.now() - toldAt < NEXT_WITHIN_MS;
}

/** In milliseconds. An order that was approved longer ago and has no certificate waits for the signer or the job `issuing`, not for a moment. */
const ISSUED_WITHIN_MS = 5000;

/** Returns whether this process or another one approves orders now. */
export const isApprovingAnywhere = async (now: Date): Promise<boolean> =>
  isApproving() || isIssuingSince(getDb(), new Date(now.getTime() - ISSUED_WITHIN_MS));

/** Takes the next approvals off the line. A second approval of the same order stays there, and finds what became of the first. */
function takeGroup(waiting: Waiting[], isFirst: boolean): Waiting[] {
  const size = nextSize(waiting.length, isFirst);
  const group = new Map<number, Waiting>();
  const left: Waiting[] = [];
  for (const one of waiting.splice(0))
    if (group.size < size && !group.has(one.id)) group.set(one.id, one);
    else left.push(one);
  waiting.push(...left);
  return [...group.values()];
}

const lastTime = (group: readonly Waiting[]): Date => new Date(Math.max(...group.map(({ now }) => now.getTime())));

/** Reads the orders of a group, checks their CSRs, and records those that are allowed in one transaction. Throws when that fails. */
async function recordTogether(group: readonly Waiting[]): Promise<RecordedApprovals> {
  const refused: Refused = new Map();
  const judged = await judgeCsrs(await readOpen(group, refused), refused);
  const recording = await recordApprovals(judged, lastTime(group));
  return { ...recording, refused: new Map([...refused, ...recording.refused]) };
}

/** Records a group. When that fails, each approval is tried by itself, so that one does not stop the others. */
async function record(group: readonly Waiting[]): Promise<RecordedApprovals> {
  try {
    return await recordTogether(group);
  } catch (error) {
    const refused = new Map(group.map(({ id }) => [id, error]));
    if (group.length === 1) return { recorded: [], refused, authorities: [] };
  }
  const each: RecordedApprovals[] = [];
  for (const one of group) each.push(await record([one]));
  return {
    recorded: each.flatMap(({ recorded }) => recorded),
    refused: new Map(each.flatMap(({ refused }) => [...refused])),
    authorities: each.find(({ recorded }) => recorded.length > 0)?.authorities ?? [],
  };
}

/** Tells those who asked what came of their approvals. */
function tellAll(group: readonly Waiting[], finished: ReadonlyMap<number, Finished>): void {
  for (const { id, tell } of group) {
    const one = finished.get(id);
    if (one) tell(one);
  }
}

/** Stores what is signed when the group before is stored, and tells those who asked. Never throws. */
async function store(
  group: readonly Waiting[],
  recorded: readonly RecordedOrder[],
  signing: Promise<SignedOrders>,
  before: Promise<void>,
): Promise<void> {
  const failed = (error: unknown) => new Map(recorded.map(({ row }): [number, Finished] => [row.id, { error }]));
  const finish = async () => {
    const signed = await signing;
    await before;
    return storeSigned(recorded, signed, lastTime(group));
  };
  tellAll(group, await finish().catch(failed));
  line().answered = { count: group.filter(({ isSingle }) => isSingle).length, at: performance.now() };
}

/** How long a few approvals wait for those whose callers have just been answered, in milliseconds. */
const GATHER_MS = 30;

/**
 * Waits until the group before is stored and those who were answered ask again, so that a few callers form one group instead of two that take
 * turns: a group has about forty statements, however many orders it has. An approval that finds nobody else does not wait.
 */
async function gather(all: Line): Promise<void> {
  await all.storing;
  while (all.waiting.length < SMALL_GROUP && all.answered.count > 0) {
    const left = Math.ceil(all.answered.at + GATHER_MS - performance.now());
    if (left <= 0) return;
    await once(all.arrivals, "approval", { signal: AbortSignal.timeout(left) }).catch(() => undefined);
  }
}

async function move(all: Line): Promise<void> {
  all.isMoving = true;
  for (let isFirst = true; all.waiting.length > 0; isFirst = false) {
    if (all.waiting.length < SMALL_GROUP) await gather(all);
    const group = takeGroup(all.waiting, isFirst);
    const { recorded, refused, authorities } = await record(group);
    tellAll(group, new Map([...refused].map(([id, error]) => [id, { error }])));
    const before = all.signing;
    const signing = signAll(recorded, authorities, lastTime(group));
    all.signing = signing.catch(() => null);
    all.storing = store(group, recorded, signing, all.storing);
    await before; // meanwhile this group's first signatures fill the gaps between the last ones of the group before
  }
  all.isMoving = false;
}

/**
 * Approves orders in groups. A group is recorded in one transaction and stored in another, so many approvals share the cost of a commit,
 * whether one person approves many orders or many persons approve one each. While the certificates of a group are being signed, the group
 * before is stored and the next one is recorded; a few approvals wait until the group before is stored, and become more meanwhile. An
 * approval that finds nobody else starts at once.
 *
 * @param now The time of each of these approvals. A group has the time of the last one in it.
 * @param onEach Called once for each approval when its answer is known.
 * @returns What came of each approval, in the given order.
 */
export async function approveInGroups(
  asked: readonly AskedApproval[],
  now: Date,
  onEach: () => void = () => undefined,
): Promise<Finished[]> {
  const all = line();
  const isSingle = asked.length === 1;
  const answers = asked.map(
    (one) => new Promise<Finished>((tell) => void all.waiting.push({ ...one, now, isSingle, tell })),
  );
  if (isSingle && all.answered.count > 0) all.answered.count -= 1;
  all.arrivals.emit("approval");
  if (!all.isMoving) void move(all);
  const finished: Finished[] = [];
  for (const answer of answers) {
    finished.push(await answer);
    onEach();
  }
  all.toldAt = performance.now();
  return finished;
}
