import { messages } from "~/lib/messages";
import { queryNumber } from "./wire";

/** The default and maximum number of rows in an answer. */
export const PAGE_SIZE = 1000;

const upTo = (largest: number) => queryNumber(1, largest, messages.outOfRange).optional();

/** The parameters of a query that select a page of rows. */
export const pageShape = {
  page: upTo(1_000_000).describe("1 when left out"),
  pageSize: upTo(PAGE_SIZE).describe(`${PAGE_SIZE} when left out`),
};

export const PAGE_NOTES = `At most ${PAGE_SIZE} at a time: a page with fewer than \`pageSize\` is the last one, and pages after it are empty.`;

interface PageQuery {
  page?: number | undefined;
  pageSize?: number | undefined;
}

/** Returns the page that a query selects. */
export const pageOf = ({ page = 1, pageSize: size = PAGE_SIZE }: PageQuery) => ({ page, size });
