export const FORM = "homepage";
export const REMOVE = { intent: "remove" } as const;
