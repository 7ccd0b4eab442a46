import { sql } from "kysely";
import { expect, test } from "vitest";
import { type CertificateListItem } from "~/domain/certificates/catalogue/list.service.server";
import * as listPage from "~/routes/home.certificates";
import * as searchPage from "~/routes/home.search";
import { getConnection, getDb } from "~db/connection.server";
import { countCertificates } from "~db/repositories/certificate-list.server";
import { createAdmin, createUser } from "../support/factories";
import { accountId, fillAccounts } from "../support/many-accounts";
import { fillCertificates } from "../support/many-certificates";
import { textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { jsonOf, run, signedInAs } from "../support/visitor";

usePortal();

interface ListAnswer {
  rows: CertificateListItem[];
  total: number;
  hasMore: boolean;
  pages: number;
  params: { page: number };
}

test("[CER-02] counting stops at the limit", async () => {
  const owner = await createUser();
  await fillCertificates(12, { isRevoked: false, owner });
  const filter = { companyId: owner.companyId, terms: [] };
  const counts = [11, 12, 13, undefined].map((limit) => countCertificates(getDb(), filter, limit));
  expect(await Promise.all(counts)).toEqual([11, 12, 12, 12]);
});

test("[CER-02] more than 10,000 certificates are not counted one by one, and every page is reachable", async () => {
  const owner = await createUser();
  const visitor = await signedInAs(owner);
  const list = async (query = "") =>
    jsonOf<ListAnswer>(await run(listPage.loader, visitor.get(`/home/certificates${query}`)));

  await fillCertificates(10_000, { isRevoked: false, owner });
  expect(await list()).toMatchObject({ total: 10_000, hasMore: false, pages: 1000 });

  await fillCertificates(11, { isRevoked: false, owner });
  expect(await list()).toMatchObject({ total: 10_000, hasMore: true, pages: 1000 });
  const { html } = await openPage(listPage, visitor, "/home/certificates");
  expect(html).toContain("1 to 10 of more than 10000");
  expect(html).not.toContain("page=1001");

  expect(await list("?page=1000")).toMatchObject({ total: 10_010, hasMore: true, pages: 1001, params: { page: 1000 } });
  const last = await list("?page=1002");
  expect(last).toMatchObject({ total: 10_011, hasMore: false, pages: 1002, params: { page: 1002 } });
  expect(last.rows).toHaveLength(1);
  for (const page of [5000, 10_000_000]) expect((await list(`?page=${page}`)).params.page).toBe(1002);
});

test("[CER-02] staff find certificates by a word that very many accounts have, whether few or many accounts own certificates", async () => {
  await getDb().updateTable("certificates").set({ searchText: "" }).execute();
  await fillAccounts(getConnection().dialect, 0, 12_100);
  const staff = await signedInAs(await createAdmin());
  const find = async (search: string) =>
    jsonOf<ListAnswer>(await run(listPage.loader, staff.get(`/home/certificates?search=${search}`)));
  expect(await find("gmbh")).toMatchObject({ total: 0 });

  await fillCertificates(2100, { isRevoked: false });
  const newest = getDb().selectFrom("certificates").select("id").orderBy("id", "desc").limit(1);
  const { id: last } = await newest.executeTakeFirstOrThrow();
  await getDb()
    .updateTable("certificates")
    .set({ userId: accountId(7) })
    .where("id", "=", last)
    .execute();
  expect(await find("gmbh")).toMatchObject({ total: 1, rows: [{ id: last }] });

  const eachItsOwn = sql<number>`${accountId(0) - last} + id`;
  await getDb()
    .updateTable("certificates")
    .set({ userId: eachItsOwn })
    .where("id", ">", last - 2100)
    .execute();
  expect(await find("gmbh")).toMatchObject({ total: 2100 });
  expect(await find("gmbh%20muster7")).toMatchObject({ total: 111 });

  const headings = async (q: string) => {
    const { html } = await openPage(searchPage, staff, `/home/search?${new URLSearchParams({ q }).toString()}`);
    return textsOf(html, ".hits-card h2");
  };
  expect(await headings("gmbh")).toEqual(["Certificates 1000+", "Companies 1000+", "People 1000+"]);
  expect(await headings("gmbh muster7")).toEqual(["Certificates 111", "People 1000+"]);
});
