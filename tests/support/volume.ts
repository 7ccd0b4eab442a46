/**
 * The size of a volume test. `npm run test:volume` uses the whole size; every other run uses the small one, which shows the same rule.
 */
export const sized = (small: number, whole: number): number => (process.env.TEST_VOLUME === "whole" ? whole : small);
