import { listParams, type ListParams } from "~/lib/list-params";
import { paths } from "~/lib/paths";

/** The list's columns that can be sorted. */
export const CODE_SORTS = ["code", "value", "months", "validUntil", "createdAt"] as const;
export type CodeSort = (typeof CODE_SORTS)[number];

export const CODE_STATES = ["Unused", "Used", "Expired", "Withdrawn"] as const;
export type CodeState = (typeof CODE_STATES)[number];

export interface CodeListParams extends ListParams<CodeSort> {
  /** Only codes in this state. */
  state: CodeState | null;
  /** Only codes that were created together. */
  batch: string | null;
}

const base = listParams(CODE_SORTS, { key: "createdAt", direction: "desc" });

/** Reads the list's place from a URL; never fails. */
export const readCodeListParams = (query: URLSearchParams): CodeListParams => ({
  ...base.read(query),
  state: CODE_STATES.find((state) => state.toLowerCase() === query.get("state")) ?? null,
  batch: /^[\w-]{22}$/.exec(query.get("batch") ?? "")?.[0] ?? null,
});

/** The list's place as a query; what is at its default is left out. */
export function codeListPlace({ state, batch, ...params }: CodeListParams): URLSearchParams {
  const query = base.write(params);
  if (state !== null) query.set("state", state.toLowerCase());
  if (batch !== null) query.set("batch", batch);
  return query;
}

/** The list at this place. */
export function codeList(params: CodeListParams, change: Partial<CodeListParams> = {}): string {
  const query = codeListPlace({ ...params, ...change }).toString();
  return query ? `${paths.promotionCodes}?${query}` : paths.promotionCodes;
}

/** The codes of one creation. */
export const batchList = (batch: string): string => codeList({ ...readCodeListParams(new URLSearchParams()), batch });
