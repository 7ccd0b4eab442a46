import { randomBytes } from "node:crypto";
import { type PromotionCodeItem } from "~/domain/orders/promotion-codes/promotion-codes.service.server";
import * as listPage from "~/routes/home.promotion-codes._index/route";
import * as bulkPage from "~/routes/home.promotion-codes.bulk";
import * as newPage from "~/routes/home.promotion-codes.new";
import { getDb } from "~db/connection.server";
import { jsonOf, run, type Visitor } from "./visitor";

/** Returns a new value of the form's hidden field `batch`. */
export const newBatch = () => randomBytes(16).toString("base64url");

const TERMS = { value: "50", months: "12", validUntil: "" };

/** Sends the form for one code as an administrator. */
export const createOne = async (staff: Visitor, fields: Record<string, string> = {}) =>
  run(newPage.action, await staff.post("/home/promotion-codes/new", { ...TERMS, batch: newBatch(), ...fields }));

/** Sends the form for many codes as an administrator. */
export const createMany = async (staff: Visitor, fields: Record<string, string> = {}) =>
  run(
    bulkPage.action,
    await staff.post("/home/promotion-codes/bulk", { ...TERMS, count: "3", prefix: "", batch: newBatch(), ...fields }),
  );

export const withdraw = async (staff: Visitor, fields: Record<string, string>) =>
  run(listPage.action, await staff.post("/home/promotion-codes", { intent: "withdraw", ...fields }));

export interface CodeList {
  rows: PromotionCodeItem[];
  total: number;
  pages: number;
  params: { page: number };
  batch: { id: string; count: number } | null;
}

export const listCodes = async (staff: Visitor, query = "") =>
  jsonOf<CodeList>(await run(listPage.loader, staff.get(`/home/promotion-codes${query}`)));

export const storedCodes = (batchId: string) =>
  getDb().selectFrom("promotionCodes").selectAll().where("batchId", "=", batchId).orderBy("code").execute();

export const promotionAudit = (reference: string) =>
  getDb().selectFrom("auditEntries").selectAll().where("reference", "=", reference).orderBy("id").execute();
