/** Returns the number of a sales order as people see it, such as "SO-1001" for the id 1001. */
export const orderNumber = (id: number): string => `SO-${id}`;

/** Returns the numbers of one or several orders in a few words: "SO-1001", "SO-1001 and 4 more". */
export const orderNumbersText = ([first = 0, ...others]: readonly number[]): string =>
  orderNumber(first) + (others.length > 0 ? ` and ${others.length} more` : "");
