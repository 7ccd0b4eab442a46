/** Returns the number of a sales order as people see it, such as "SO-1001" for the id 1001. */
export const orderNumber = (id: number): string => `SO-${id}`;
