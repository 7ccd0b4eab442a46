import { X509Certificate } from "node:crypto";
import { describe, expect, test } from "vitest";
import { addSecret, endSecret } from "~/domain/api-clients/secrets.service.server";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { getDb } from "~db/connection.server";
import { listSecrets } from "~db/repositories/api-clients.server";
import { type ApiClient } from "../support/api";
import {
  askToken,
  type Credentials,
  makeClient,
  newClientProgram,
  newestSecret,
  programOf,
} from "../support/api-clients";
import { complete, orderBody } from "../support/api-orders";
import { checksDone, setCertificate } from "../support/certificates";
import { createColleague, personOf } from "../support/companies";
import { createAdmin, createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";

usePortal();
const { makeCsr } = useOpenssl();

type Person = Awaited<ReturnType<typeof createUser>>;

const rotate = async (owner: Person, { id }: Credentials, overlap: Parameters<typeof addSecret>[3]["overlap"]) =>
  addSecret(await personOf(owner), "company", id, { newest: await newestSecret(id), overlap });

const canLogIn = async (credentials: Pick<Credentials, "clientId" | "secret">) =>
  (await askToken(credentials)).status === 200;

const endsOf = async ({ id }: Credentials) => (await listSecrets(getDb(), [id])).map(({ endsAt }) => endsAt);

test("[API-03] [API-04] a program goes from order to certificate while its secret is rotated, and no request fails", async () => {
  const owner = await createUser();
  const staff = await personOf(await createAdmin());
  const scopes = ["certificates:read", "certificates:write", "downloads:read"] as const;
  let credentials = await makeClient(owner, scopes);
  let program: ApiClient = await programOf(credentials);
  const statuses: number[] = [];
  /** Another thread of the program, which goes on with the old token and the old secret. */
  const goOn = async (old: ApiClient, oldCredentials: Credentials) => {
    const answers = [await old.send("certificates/getcertificates"), await askToken(oldCredentials)];
    statuses.push(...answers.map(({ status }) => status));
  };

  const { content } = await complete(program, orderBody(makeCsr().pem), "order-1");
  const old = { program, credentials };
  const [made] = await Promise.all([rotate(owner, credentials, "until-ended"), goOn(old.program, old.credentials)]);
  await goOn(old.program, old.credentials);
  credentials = made;
  program = await programOf(credentials);
  await Promise.all([goOn(program, credentials), goOn(old.program, old.credentials)]);

  const find = async () => {
    const { content: all } =
      await program.get<{ id: number; orderId: number; certificateStatus: string }[]>("certificates/getcertificates");
    return all.find(({ orderId }) => orderId === content.orderId);
  };
  const { id = 0, certificateStatus } = (await find()) ?? {};
  expect(certificateStatus).toBe("Pending");
  await setCertificate(id, checksDone());
  await approveOrder(id, staff);

  const [oldSecret] = await listSecrets(getDb(), [credentials.id]);
  await endSecret(await personOf(owner), "company", { id: credentials.id, secretId: oldSecret?.id ?? 0 });
  await goOn(program, credentials);
  expect(statuses).toEqual(statuses.map(() => 200));
  expect((await old.program.send("certificates/getcertificates")).status).toBe(401);

  expect((await find())?.certificateStatus).toBe("Issued");
  const query = `certificateId=${id}&certificateType=PEM&fileExtension=PEM`;
  const file = await program.send(`Certificates/DownloadMyCertificate?${query}`);
  expect(new X509Certificate(await file.text()).subject).toContain("CN=");
  expect((await find())?.certificateStatus).toBe("Downloaded");
});

describe("a new secret", () => {
  test.each([
    ["until-ended", true, null],
    ["a-week", true, 7 * 24],
    ["a-day", true, 24],
    ["now", false, 0],
  ] as const)("leaves the other one valid: %s", async (overlap, isValid, hours) => {
    const owner = await createUser();
    const client = await makeClient(owner, ["codes:read"]);
    const before = Date.now();
    const made = await rotate(owner, client, overlap);
    expect([await canLogIn(client), await canLogIn(made)]).toEqual([isValid, true]);
    const [ends, newest] = await endsOf(client);
    expect(newest).toBeNull();
    if (hours === null) expect(ends).toBeNull();
    else expect(Math.abs(Date.parse(ends ?? "") - before - hours * 3_600_000)).toBeLessThan(60_000);
  });

  test("is refused while two are valid, unless the others end at once", async () => {
    const owner = await createUser();
    const client = await makeClient(owner, ["codes:read"]);
    const second = await rotate(owner, client, "a-week");
    await expect(rotate(owner, client, "a-week")).rejects.toThrow("The client has two valid secrets.");
    const third = await rotate(owner, client, "now");
    expect([await canLogIn(client), await canLogIn(second), await canLogIn(third)]).toEqual([false, false, true]);
  });

  test("is made once when two requests arrive at once or a form is sent twice", async () => {
    const owner = await createUser();
    const client = await makeClient(owner, ["codes:read"]);
    const user = await personOf(owner);
    const newest = await newestSecret(client.id);
    const add = () => addSecret(user, "company", client.id, { newest, overlap: "until-ended" });
    const results = await Promise.allSettled([add(), add()]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await expect(add()).rejects.toThrow("The client got a new secret meanwhile.");
    expect((await endsOf(client)).length).toBe(2);
  });

  test("of a paused client ends the secrets that a former owner may know, and makes the owner answer for it", async () => {
    const owner = await createUser();
    const boss = await createColleague(owner, "owner");
    const { credentials } = await newClientProgram(boss, ["certificates:read"]);
    await getDb().deleteFrom("memberships").where("userId", "=", boss.id).execute();
    const made = await rotate(owner, credentials, "until-ended");
    expect([await canLogIn(credentials), await canLogIn(made)]).toEqual([false, true]);
    const { responsibleId } = await getDb()
      .selectFrom("apiClients")
      .select("responsibleId")
      .where("id", "=", credentials.id)
      .executeTakeFirstOrThrow();
    expect(responsibleId).toBe(owner.id);
  });

  test("of another owner's client leaves its secrets valid, and makes this owner answer for it before the other leaves", async () => {
    const owner = await createUser();
    const boss = await createColleague(owner, "owner");
    const client = await makeClient(boss, ["certificates:read"]);
    const program = await programOf(client);
    await rotate(owner, client, "until-ended");
    await getDb().deleteFrom("memberships").where("userId", "=", boss.id).execute();
    expect((await program.get("certificates/getcertificates")).status).toBe(200);
  });
});
