import { describe, expect, test } from "vitest";
import { type searchCodesFor } from "~/domain/codes/search.service.server";
import * as searchPage from "~/routes/home.search-codes/route";
import { getDb } from "~db/connection.server";
import { findCode } from "~db/repositories/codes.server";
import { createCode } from "../support/codes";
import { consolidation, createSeveral, merge } from "../support/consolidation";
import { usePeople } from "../support/people";
import { usePortal } from "../support/portal";
import { customer, moveTo, newEmail, save } from "../support/user-details";
import { useVatServer } from "../support/vat-server";
import { jsonOf, run, signedInAs } from "../support/visitor";

useVatServer();
usePortal();
const people = usePeople();

const find = async (query: Record<string, string>): Promise<number[]> => {
  const request = people.admin.visitor.get(`/home/search-codes?${new URLSearchParams(query).toString()}`);
  const { results } = await jsonOf<Awaited<ReturnType<typeof searchCodesFor>>>(await run(searchPage.loader, request));
  return (results?.rows ?? []).map(({ id }) => id);
};

const stored = async (id: number) => {
  const code = await findCode(getDb(), id);
  if (!code) throw new Error(`There is no code ${id}.`);
  return code;
};

describe("the words that find a code follow its owner's account", () => {
  test("[SRC-01] the company address, unless the code has a physical address of its own", async () => {
    const { user, visitor } = await customer({ company: "Follower Ltd" });
    const { id } = await createCode(user);
    const own = await createCode(user, { useCompanyAddress: false, city: "Leeds" });
    const saved = await save(visitor, { "companyAddress.city": "Stoke-on-Trent" });
    expect(saved.status).toBe(303);
    expect(await stored(id)).toMatchObject({ sortCity: "stoke-on-trent", sortCompany: "follower ltd" });
    expect(await find({ company: "follower", city: "trent" })).toEqual([id]);
    expect(await find({ company: "follower", city: "coventry" })).toEqual([]);
    expect(await find({ company: "follower", city: "leeds" })).toEqual([own.id]);
  });

  test("[SRC-01] the email, when the new one is confirmed", async () => {
    const { user, visitor } = await customer();
    const { id } = await createCode(user);
    const email = newEmail();
    await moveTo(visitor, email);
    const { searchText, sortEmail } = await stored(id);
    expect(sortEmail).toBe(email);
    expect(searchText).toContain(email);
    expect(searchText).not.toContain(user.email);
  });

  test("[SRC-01] [CON-03] the company after a merge, whose page counts the codes", async () => {
    const [own, other] = await createSeveral({ company: "Survivor AG" }, { company: "Swallowed KG" });
    if (!other) throw new Error("There is no second account.");
    const codes = [await createCode(own), await createCode(other), await createCode(other)];
    const visitor = await signedInAs(own);
    const { accounts } = await consolidation(visitor);
    expect(accounts.map(({ id, codes: count }) => [id, count])).toEqual([
      [own.id, 1],
      [other.id, 2],
    ]);
    const merged = await merge(visitor, { company: String(own.id) });
    expect(merged.headers.get("Location")).toBe("/home/dashboard");
    expect((await find({ company: "survivor" })).toSorted()).toEqual(codes.map(({ id }) => id).toSorted());
    expect(await find({ company: "swallowed" })).toEqual([]);
  });

  test("[SRC-01] the company, when the details are saved", async () => {
    const { user, visitor } = await customer({ company: "Once Named BV", isAdmin: true });
    const { id } = await createCode(user);
    const saved = await save(visitor, { company: "Newly Named BV" });
    expect(saved.status).toBe(303);
    expect(await find({ company: "newly" })).toEqual([id]);
    expect((await stored(id)).searchText).toContain("newly named bv");
  });
});
