interface Range {
  page: number;
  size: number;
  total: number;
  /** Whether there are more than `total` rows, which are not counted. */
  hasMore?: boolean;
}

/** Returns the rows of this page in words: '1 to 10 of 37', '1 to 10 of more than 10000', or '0 rows' for an empty list. */
export function rangeText({ page, size, total, hasMore = false }: Range): string {
  if (total === 0) return "0 rows";
  return `${(page - 1) * size + 1} to ${Math.min(page * size, total)} of ${hasMore ? "more than " : ""}${total}`;
}
