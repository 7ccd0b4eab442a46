import { randomBytes } from "node:crypto";
import { inTurn } from "~/lib/in-turn.server";
import { stepOfCode } from "~/lib/totp.server";
import { type AppSecrets } from "./app-secrets.server";
import { type Books, type OpenBooks } from "./books.server";
import { checkAnswer, requireNewUse, WrongCode } from "./confirmation.server";
import { type Factor, WRONG_CODES } from "./factor-register.server";
import { type FactorContent, type FactorUse, type GrantContent, type StandingContent } from "./journal-entry.server";
import {
  type AppAddition,
  type Confirmation,
  type GrantRequest,
  LARGEST_GRANT,
  LARGEST_STANDING_GRANT,
  type PasskeyOffer,
  type SignerFactor,
  type SignerStandingGrant,
  type StandingGrantRequest,
} from "./protocol";
import { Refusal, requireRule } from "./refusal.server";
import { hashOfStatement, passkeyId, standingStatement, type Statement } from "./statement.server";

/** How many offered passkeys may wait. The portal could fill the journal with them otherwise. */
const MOST_WAITING = 20;

const viewOf = ({ id, person, name, kind, credential, isAccepted, wrong, offeredAt }: Factor): SignerFactor => ({
  id,
  person,
  name,
  kind,
  credential,
  state: !isAccepted ? "waiting" : wrong >= WRONG_CODES ? "locked" : "accepted",
  since: new Date(offeredAt).toISOString(),
});

const DAY = 24 * 60 * 60_000;

const newAppId = () => (randomBytes(10).toString("hex").match(/.{4}/g) ?? []).join("-");

/** Throws a Refusal unless the operator who makes a factor count is somebody else than its person. */
const requireOther = (operator: string, person: string): void =>
  requireRule(
    operator.toLowerCase() !== person.toLowerCase(),
    `A passkey or app of ${person} counts with the consent of somebody else: the operator cannot be ${person}.`,
  );

/** The persons who grant certificates: their factors, and what they grant. */
export class People {
  constructor(
    private readonly books: Books,
    private readonly secrets: AppSecrets,
    private readonly now: () => Date = () => new Date(),
  ) {}

  private find({ register }: OpenBooks, id: string): Factor {
    const factor = register.find(id, this.now());
    if (factor) return factor;
    throw new Refusal("not-found", `The signer has no passkey or app ${id}.`);
  }

  async list(): Promise<SignerFactor[]> {
    return (await this.books.open()).register.list(this.now()).map(viewOf);
  }

  private readonly acceptedOf =
    (person: string) =>
    ({ register }: OpenBooks): Factor[] =>
      register.acceptedOf(person, this.now());

  /**
   * Checks what a person confirms, and writes the line that follows from it.
   *
   * @param factors The factors with which the person may confirm it.
   * @throws Refusal `factor` with a sentence for the person.
   */
  private confirm(
    factors: (books: OpenBooks) => readonly Factor[],
    statement: Statement,
    answer: Confirmation["answer"],
    contentOf: (use: FactorUse) => FactorContent | GrantContent | StandingContent,
  ): Promise<void> {
    // One after the other, or many codes could be tried before the first wrong one is counted.
    return inTurn("signer-confirmation", () => this.confirmNow(factors, statement, answer, contentOf));
  }

  private async confirmNow(
    factors: (books: OpenBooks) => readonly Factor[],
    statement: Statement,
    answer: Confirmation["answer"],
    contentOf: (use: FactorUse) => FactorContent | GrantContent | StandingContent,
  ): Promise<void> {
    const now = this.now();
    const before = await this.books.open();
    const use = await checkAnswer(factors(before), this.secrets, statement, answer, now).catch(
      async (error: unknown) => {
        if (error instanceof WrongCode) {
          const { id: factor, person } = error.factor;
          await this.books.add({ kind: "factor-wrong", factor, person }, before, now);
        }
        throw error;
      },
    );
    const books = await this.books.open();
    const used = factors(books).find(({ id }) => id === use.factor) ?? null;
    requireNewUse(used, use);
    await this.books.add({ ...contentOf(use), use }, books, now);
  }

  /** Takes a passkey that its person has used. Returns its id. It counts when an operator has accepted it. */
  offer(offer: PasskeyOffer): Promise<string> {
    // One after the other, or more of them than may wait could arrive at once.
    return inTurn("signer-offer", () => this.offerNow(offer));
  }

  private async offerNow({ person, name, credential, publicKey, askedAt, answer }: PasskeyOffer): Promise<string> {
    const id = passkeyId(person, credential, publicKey);
    const { register } = await this.books.open();
    const all = register.list(this.now());
    requireRule(
      !all.some((factor) => factor.credential === credential),
      "The signer knows this passkey already: it waits for an operator, or has been accepted.",
    );
    requireRule(
      all.filter(({ isAccepted }) => !isAccepted).length < MOST_WAITING,
      `${MOST_WAITING} passkeys wait for an operator. Have them accepted or removed first.`,
    );
    const offered: Factor = {
      id,
      person,
      name,
      kind: "passkey",
      credential,
      publicKey,
      offeredAt: this.now().getTime(),
      isAccepted: false,
      step: 0,
      counter: 0,
      wrong: 0,
    };
    const statement: Statement = { purpose: "offer", person, askedAt, about: [id] };
    const content = { kind: "factor-offered", factor: id, person, name, credential, publicKey } as const;
    await this.confirm(
      () => [offered],
      statement,
      answer,
      () => content,
    );
    return id;
  }

  /** Accepts a passkey on the word of an operator, who has compared its id with what its person reads out. */
  async accept(id: string, operator: string): Promise<void> {
    const books = await this.books.open();
    const { person, isAccepted } = this.find(books, id);
    requireRule(!isAccepted, "The passkey has been accepted already.");
    requireOther(operator, person);
    await this.books.add(
      { kind: "factor-accepted", factor: id, person, by: `operator ${operator}` },
      books,
      this.now(),
    );
  }

  /** Adds an authenticator app in the place of the one that the person had. Returns its id. Throws a Refusal `factor` for a wrong code. */
  async addApp({ person, name, secret, code, operator }: AppAddition): Promise<string> {
    const now = this.now();
    requireOther(operator, person);
    const step = stepOfCode(secret, code, now);
    if (step === null) throw new Refusal("factor", "The code is wrong. Nothing was added.");
    const id = newAppId();
    await this.secrets.add(id, secret);
    const books = await this.books.open();
    const former = books.register.acceptedOf(person, now).filter(({ kind }) => kind === "app");
    const by = `operator ${operator}`;
    for (const { id: factor } of former)
      await this.books.add({ kind: "factor-removed", factor, person, by }, books, now);
    const use = { factor: id, step };
    await this.books.add({ kind: "factor-accepted", factor: id, person, name, by, use }, books, now);
    for (const { id: factor } of former) await this.secrets.remove(factor);
    return id;
  }

  /** Removes a factor. What was granted with it and is not signed yet is not signed any more. */
  async remove(id: string, by: string): Promise<void> {
    const books = await this.books.open();
    const { person, kind } = this.find(books, id);
    await this.books.add({ kind: "factor-removed", factor: id, person, by }, books, this.now());
    if (kind === "app") await this.secrets.remove(id);
  }

  /**
   * Takes a person's word for certificates. Returns the SHA-256 that identifies the grant.
   *
   * @throws Refusal `factor` with a sentence for the person.
   */
  async grant({ person, askedAt, digests, answer }: GrantRequest): Promise<string> {
    requireRule(
      digests.length > 0 && digests.length <= LARGEST_GRANT,
      `A grant covers 1 to ${LARGEST_GRANT} certificates.`,
    );
    const statement: Statement = { purpose: "grant", person, askedAt, about: digests };
    const sha256 = hashOfStatement(statement);
    await this.confirm(this.acceptedOf(person), statement, answer, ({ factor }) => ({
      kind: "grant",
      sha256,
      person,
      factor,
      askedAt,
      digests,
    }));
    return sha256;
  }

  /** Returns the standing grants that are neither withdrawn nor replaced. */
  async listStanding(): Promise<SignerStandingGrant[]> {
    const { register } = await this.books.open();
    return register.standing.list().map((grant) => ({
      sha256: grant.sha256,
      person: grant.person,
      kind: register.factorOf(grant)?.kind ?? null,
      since: grant.givenAt,
      scope: grant.scope,
      used: register.standing.usedOf(grant.scope.authorisation),
      problem: register.whyStandingOver(grant, this.now()),
    }));
  }

  /**
   * Takes a person's word for the certificates of a standing authorisation. It takes the place of the former one. Returns the SHA-256 that
   * identifies the grant.
   *
   * @throws Refusal `factor` with a sentence for the person, and `refused` for an end that has passed or is too far away.
   */
  async grantStanding({ person, askedAt, scope, answer }: StandingGrantRequest): Promise<string> {
    const left = Date.parse(scope.endsAt) - this.now().getTime();
    requireRule(left > 0, "The standing authorisation has ended already.");
    requireRule(
      left <= LARGEST_STANDING_GRANT.days * DAY,
      `A standing authorisation can be granted for ${LARGEST_STANDING_GRANT.days} days at most.`,
    );
    const statement: Statement = { ...standingStatement(person, scope), askedAt };
    const sha256 = hashOfStatement(statement);
    const content = { kind: "standing-grant", sha256, person, askedAt, scope } as const;
    await this.confirm(this.acceptedOf(person), statement, answer, ({ factor }) => ({ ...content, factor }));
    return sha256;
  }

  /** Withdraws the grant of a standing authorisation. It needs no factor, because it only takes a right away. */
  async withdrawStanding(standing: number, by: string): Promise<void> {
    const books = await this.books.open();
    const grant = books.register.standing.find(standing);
    if (!grant || grant.isWithdrawn)
      throw new Refusal("not-found", `The signer has no grant of the standing authorisation ${standing}.`);
    await this.books.add({ kind: "standing-withdrawn", standing, sha256: grant.sha256, by }, books, this.now());
  }
}
