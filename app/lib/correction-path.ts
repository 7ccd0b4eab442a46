import { segment, withQuery } from "./paths";

/** The page that corrects an order, or one part of it: `order`, `technical` or `contact`. */
export const correctionPath = (orderId: number, part?: string): string =>
  withQuery(`/home/orders/${segment(orderId)}/correct`, { part });
