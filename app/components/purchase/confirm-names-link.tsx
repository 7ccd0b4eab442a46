import { Link } from "@remix-run/react";
import { type BrokenRule } from "~/lib/broken-rule";
import { paths } from "~/lib/paths";

/** Leads to the page where a company confirms its names, when one of the marks or refusals is about that. */
export const ConfirmNamesLink = ({ rules }: { rules: readonly BrokenRule[] }) =>
  rules.some(({ code }) => code === "domain-not-confirmed") && (
    <p>
      <Link to={paths.domains}>Confirm domains and mailboxes of your company</Link>
    </p>
  );
