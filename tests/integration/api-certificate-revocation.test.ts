import { beforeAll, describe, expect, test, vi } from "vitest";
import { DATE_FORMATS, NO_SUCH_DAY } from "~/api/dates";
import { getSigner, setSigner } from "~/domain/authorities/signers.server";
import { addDays } from "~/lib/dates";
import { colonHex } from "~/lib/hex";
import { type ApiClient, apiClientOf } from "../support/api";
import { createCertificateOrder, readCertificate } from "../support/certificates";
import { TEST_PASSWORD } from "../support/factories";
import { useRevoking } from "./revoking";

const { people, issue, makeCsr, verifyWithLists } = useRevoking();

let own: ApiClient;
let stranger: ApiClient;
let staff: ApiClient;
beforeAll(async () => {
  own = await apiClientOf(people.customer.email, TEST_PASSWORD);
  stranger = await apiClientOf(people.stranger.email, TEST_PASSWORD);
  staff = await apiClientOf(people.admin.email, TEST_PASSWORD);
});

interface Outcome {
  error: string;
  succeeded: boolean;
  certificateStatus: string;
  state: Record<string, unknown> | null;
}

const revoke = (certificateId: number, fields: object = {}, by = own) =>
  by.post<Outcome>("certificates/revoke", { certificateId, ...fields });
const SUPERSEDED = { reasonTypeId: 4 };
const done = { error: "", succeeded: true, certificateStatus: "Revoked", state: null };
const second = (date: Date) => `${date.toISOString().slice(0, 19)}Z`;

describe("[API-03] revoke", () => {
  test("[API-03] with only the id returns the state and revokes nothing", async () => {
    const row = await issue();
    const answer = await revoke(row.id);
    expect(answer.status).toBe(200);
    expect(answer.content).toEqual({
      error: "",
      succeeded: false,
      certificateStatus: "Issued",
      state: {
        email: "",
        commonName: row.commonName,
        serialNumber: colonHex(row.serialNumber),
        startDate: `${row.startDate?.slice(0, 19)}Z`,
        endDate: `${row.expiryDate?.slice(0, 19)}Z`,
        emailAddress: people.customer.email,
        telephoneNumber: people.customer.telephoneNumber,
        revocationReason: "",
        revocationDescription: "",
        revocationDate: "0001-01-01T00:00:00",
      },
    });
    expect(
      (await revoke(row.id, { revocationDate: " ", description: " ", reasonTypeId: null })).content.succeeded,
    ).toBe(false);
    expect((await readCertificate(row.id)).status).toBe("Issued");
  });

  test("[API-03] revokes and publishes the CRLs before it answers; the state then shows it", async () => {
    const row = await issue();
    expect(await revoke(row.id, { ...SUPERSEDED, description: "Replaced" })).toMatchObject({
      status: 200,
      content: done,
    });
    expect(await readCertificate(row.id)).toMatchObject({
      status: "Revoked",
      revocationReason: 4,
      revocationDescription: "Replaced",
      invalidityDate: null,
      revokedBy: people.customer.id,
    });
    expect(await verifyWithLists(row.der)).toContain("certificate revoked");
    expect((await revoke(row.id)).content).toMatchObject({
      error: "The certificate has been revoked.",
      succeeded: true,
      certificateStatus: "Revoked",
      state: { revocationReason: "Superseded", revocationDescription: "Replaced" },
    });
    expect((await revoke(row.id, SUPERSEDED)).content).toEqual({
      error: "The certificate has been revoked.",
      succeeded: false,
      certificateStatus: "Revoked",
      state: null,
    });
  });

  test("[API-03] twice at once revokes once and tells the second caller", async () => {
    const row = await issue();
    const answers = await Promise.all([revoke(row.id, SUPERSEDED), revoke(row.id, SUPERSEDED)]);
    expect(answers.map(({ content }) => content.succeeded).sort()).toEqual([false, true]);
  });

  test("[API-03] lets administrators revoke any certificate", async () => {
    const row = await issue();
    expect((await revoke(row.id, SUPERSEDED, staff)).content).toEqual(done);
    expect((await readCertificate(row.id)).revokedBy).toBe(people.admin.id);
  });

  test.each(["", "01/01/0001", "0001-01-01T00:00:00", "TODAY", "TODAYT00:00:00Z"])(
    "[API-03] takes the date %j as now",
    async (given) => {
      const row = await issue();
      const revocationDate = given.replace("TODAY", new Date().toISOString().slice(0, 10));
      expect((await revoke(row.id, { ...SUPERSEDED, revocationDate })).content).toEqual(done);
      expect((await readCertificate(row.id)).invalidityDate).toBeNull();
    },
  );

  test("[API-03] takes now as one moment, although a second passes meanwhile", async () => {
    const row = await issue();
    const RealDate = Date;
    let passed = 0;
    class Later extends RealDate {
      constructor(...given: []) {
        super(...(given.length > 0 ? given : ([RealDate.now() + (passed += 400)] as unknown as [])));
      }
    }
    vi.stubGlobal("Date", Later);
    try {
      expect((await revoke(row.id, { ...SUPERSEDED, revocationDate: "" })).content).toEqual(done);
    } finally {
      vi.unstubAllGlobals();
    }
    expect((await readCertificate(row.id)).invalidityDate).toBeNull();
  });

  test("[API-03] takes a past date as the invalidity date and a later one as the day of the revocation", async () => {
    const past = await issue();
    const since = new Date(Math.ceil(Date.parse(past.startDate ?? "") / 1000) * 1000 + 1000);
    expect((await revoke(past.id, { ...SUPERSEDED, revocationDate: second(since) })).content).toEqual(done);
    expect((await readCertificate(past.id)).invalidityDate).toBe(since.toISOString());

    // The same instant with the offset of India.
    const abroad = await issue();
    const there = new Date(Math.ceil(Date.parse(abroad.startDate ?? "") / 1000) * 1000 + 1000);
    const told = `${second(new Date(there.getTime() + 5.5 * 3_600_000)).slice(0, 19)}+05:30`;
    expect((await revoke(abroad.id, { ...SUPERSEDED, revocationDate: told })).content).toEqual(done);
    expect((await readCertificate(abroad.id)).invalidityDate).toBe(there.toISOString());

    const later = await issue();
    const day = second(addDays(new Date(), 3));
    const answer = await revoke(later.id, { ...SUPERSEDED, revocationDate: day });
    expect(answer.content).toEqual({ ...done, certificateStatus: "RequestRevoke" });
    expect((await revoke(later.id)).content).toMatchObject({
      error: "",
      succeeded: false,
      certificateStatus: "RequestRevoke",
      state: { revocationDate: day },
    });
  });

  test.each([
    [{ reasonTypeId: 2 }, "reasonTypeId", "The value is not part of the collection."],
    [{ reasonTypeId: -1 }, "reasonTypeId", "The value is not part of the collection."],
    [{ reasonTypeId: "4" }, "reasonTypeId", ""],
    [{ description: "no reason" }, "reasonTypeId", "This field is required."],
    [{ reasonTypeId: 0 }, "description", "This field is required."],
    [{ reasonTypeId: 4, description: "x".repeat(231) }, "description", "Entered value is not valid."],
    [{ reasonTypeId: 4, revocationDate: "soon" }, "revocationDate", DATE_FORMATS],
    [{ reasonTypeId: 4, revocationDate: "2026-02-30" }, "revocationDate", NO_SUCH_DAY],
    [{ reasonTypeId: 4, revocationDate: "2026-03-01T25:00:00Z" }, "revocationDate", DATE_FORMATS],
    [{ reasonTypeId: 4, revocationDate: "Sun, 01 Mar 2026 12:00:00 GMT" }, "revocationDate", DATE_FORMATS],
    [{ reasonTypeId: 4, revocationDate: "1999-01-01T00:00:00Z" }, "revocationDate", ""],
    [{ reasonTypeId: 4, reason: 1 }, "reason", "This call has no such field."],
  ])("[API-06] refuses %j at %s", async (fields, field, message) => {
    const row = await issue();
    const answer = await revoke(row.id, fields);
    expect(answer.status).toBe(422);
    expect(answer.errors[field]).toContain(message);
    expect((await readCertificate(row.id)).status).toBe("Issued");
  });

  test("[API-03] accepts a description of 230 characters", async () => {
    const row = await issue();
    const description = "é".repeat(230);
    expect((await revoke(row.id, { reasonTypeId: 0, description })).content).toEqual(done);
    expect((await readCertificate(row.id)).revocationDescription).toBe(description);
  });

  test("[API-06] answers others with not found and revokes nothing", async () => {
    const row = await issue();
    expect((await revoke(row.id, {}, stranger)).status).toBe(404);
    expect((await revoke(row.id, SUPERSEDED, stranger)).status).toBe(404);
    expect((await revoke(999_999, SUPERSEDED)).status).toBe(404);
    expect((await readCertificate(row.id)).status).toBe("Issued");
  });

  test("[API-03] refuses a pending order, and the state says why", async () => {
    const pending = await createCertificateOrder(people.customer, makeCsr().der);
    for (const fields of [{}, SUPERSEDED])
      expect((await revoke(pending.id, fields)).content).toMatchObject({
        error: expect.stringContaining("still pending") as string,
        succeeded: false,
        certificateStatus: "Pending",
      });
  });

  test("[API-03] reports success with an error when the CRLs are still to be published", async () => {
    const row = await issue();
    const { hash } = await getSigner("issuing-sha2");
    setSigner("issuing-sha2", { hash, sign: () => Promise.reject(new Error("the key store is away")) });
    const { status, content } = await revoke(row.id, SUPERSEDED);
    setSigner("issuing-sha2", null);
    expect(status).toBe(200);
    expect(content).toMatchObject({
      succeeded: true,
      error: expect.stringContaining("could not be published yet") as string,
    });
    expect((await readCertificate(row.id)).status).toBe("Revoked");
  });
});

describe("[API-03] the reasons for a revocation", () => {
  const REASONS = [
    { id: 0, description: "Unspecified" },
    { id: 1, description: "Key Compromised" },
    { id: 3, description: "Affiliation Changed" },
    { id: 4, description: "Superseded" },
  ];

  test("[API-03] are listed, and each can be read", async () => {
    expect((await own.get("certificates/GetRevocationReasons")).content).toEqual(REASONS);
    for (const reason of REASONS)
      expect((await own.get("certificates/GetRevocationReasonById", { id: reason.id })).content).toEqual(reason);
    expect((await own.get("certificates/GetRevocationReasonById", { id: 2 })).status).toBe(404);
    expect((await own.get("certificates/GetRevocationReasonById", { id: "x" })).status).toBe(422);
  });
});
