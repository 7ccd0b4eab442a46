import { beforeAll } from "vitest";
import { createAdmin, createUser } from "./factories";
import { signedInAs, type Visitor } from "./visitor";

/** An account with its browser. */
export type Person = Awaited<ReturnType<typeof createUser>> & { visitor: Visitor };

export interface People {
  customer: Person;
  /** A customer of another company. */
  stranger: Person;
  admin: Person;
}

const signIn = async (user: Awaited<ReturnType<typeof createUser>>): Promise<Person> => ({
  ...user,
  visitor: await signedInAs(user),
});

/**
 * Creates and logs in the people that most pages are about. Call it once at the top of the file, after `usePortal`. The result is filled
 * before the tests.
 */
export function usePeople(): People {
  const people = {} as People;
  beforeAll(async () => {
    people.customer = await signIn(await createUser());
    people.stranger = await signIn(await createUser({ company: "Somebody Else GmbH" }));
    people.admin = await signIn(await createAdmin());
  });
  return people;
}
