/**
 * The size of a test of size: `npm run test:volume` runs the whole one, all other runs the small one, which shows the same rule.
 */
export const sized = (small: number, whole: number): number => (process.env.TEST_VOLUME === "whole" ? whole : small);
