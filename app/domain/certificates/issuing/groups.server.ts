import { memoize } from "~/lib/memoize.server";
import { type Finished, finishIssuing } from "./finishing.server";
import { type AskedApproval } from "./preparing.server";
import { recordApprovals, type RecordedApprovals } from "./recording.server";

/** How many orders are recorded in one transaction. Other requests get no turn during it, and other writers wait. */
const GROUP = 25;

interface Waiting extends AskedApproval {
  now: Date;
  tell: (finished: Finished) => void;
}

/** The approvals of this process that wait for their turn. */
interface Line {
  waiting: Waiting[];
  isMoving: boolean;
  /** Resolves when the certificates that are being signed and stored are done. */
  finishing: Promise<void>;
}

const line = memoize((): Line => ({ waiting: [], isMoving: false, finishing: Promise.resolve() }));

/** Takes the next approvals off the line. A second approval of the same order stays there, and finds what became of the first. */
function takeGroup(waiting: Waiting[]): Waiting[] {
  const group = new Map<number, Waiting>();
  const left: Waiting[] = [];
  for (const one of waiting.splice(0))
    if (group.size < GROUP && !group.has(one.id)) group.set(one.id, one);
    else left.push(one);
  waiting.push(...left);
  return [...group.values()];
}

const lastTime = (group: readonly Waiting[]): Date => new Date(Math.max(...group.map(({ now }) => now.getTime())));

/** Records a group. When that fails, each approval is tried by itself, so that one does not stop the others. */
async function record(group: readonly Waiting[]): Promise<RecordedApprovals> {
  try {
    return await recordApprovals(group, lastTime(group));
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

/** Signs and stores what was recorded, and tells those who asked. Never throws. */
async function finish(group: readonly Waiting[], { recorded, authorities }: RecordedApprovals): Promise<void> {
  const failed = (error: unknown) => new Map(recorded.map(({ row }): [number, Finished] => [row.id, { error }]));
  const finished = await finishIssuing(recorded, authorities, lastTime(group)).catch(failed);
  for (const { id, tell } of group) {
    const one = finished.get(id);
    if (one) tell(one);
  }
}

async function move(all: Line): Promise<void> {
  all.isMoving = true;
  while (all.waiting.length > 0) {
    const group = takeGroup(all.waiting);
    const recorded = await record(group);
    for (const { id, tell } of group) if (recorded.refused.has(id)) tell({ error: recorded.refused.get(id) });
    await all.finishing;
    all.finishing = finish(group, recorded);
  }
  all.isMoving = false;
}

/**
 * Approves orders in groups. A group is recorded in one transaction and stored in another, so many approvals share the cost of a commit,
 * whether one person approves many orders or many persons approve one each. While the certificates of a group are being signed, the next
 * group is recorded. An approval that finds nobody before it starts at once.
 *
 * @param now The time of each of these approvals. A group has the time of the last one in it.
 * @returns What came of each approval, in the given order.
 */
export function approveInGroups(asked: readonly AskedApproval[], now: Date): Promise<Finished[]> {
  const all = line();
  const finished = asked.map((one) => new Promise<Finished>((tell) => void all.waiting.push({ ...one, now, tell })));
  if (!all.isMoving) void move(all);
  return Promise.all(finished);
}
