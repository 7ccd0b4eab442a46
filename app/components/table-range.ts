interface Range {
  page: number;
  size: number;
  total: number;
}

/** The rows of this page in words: '1 to 10 of 37'; '0 rows' for an empty list. */
export function rangeText({ page, size, total }: Range): string {
  if (total === 0) return "0 rows";
  return `${(page - 1) * size + 1} to ${Math.min(page * size, total)} of ${total}`;
}
