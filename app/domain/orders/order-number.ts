/** A sales order's number as people see it: 1001 → "SO-1001". */
export const orderNumber = (id: number): string => `SO-${id}`;
