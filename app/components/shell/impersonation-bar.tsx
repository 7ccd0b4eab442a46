import { Form } from "@remix-run/react";
import { type Shell } from "~/domain/shell";
import { paths } from "~/lib/paths";
import { CsrfField } from "../forms/csrf-field";

const Name = ({ children }: { children: string }) => (
  <strong>
    <bdi>{children}</bdi>
  </strong>
);

/** Says on every page who acts as whom, with the button to end it. */
export function ImpersonationBar({ user }: { user: NonNullable<Shell["user"]> }) {
  if (!user.impersonator) return null;
  return (
    <section className="acting" aria-label="Acting as a user">
      <Form method="post" action={paths.endLoginAsUser} className="wrap">
        <CsrfField />
        <p>
          <Name>{user.impersonator.name}</Name> is acting as <Name>{user.name}</Name> (<bdi>{user.company}</bdi>)
        </p>
        <button type="submit" className="btn small">
          Back to my own account
        </button>
      </Form>
    </section>
  );
}
