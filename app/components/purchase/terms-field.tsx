import { paths } from "~/lib/paths";
import { CheckboxField } from "../forms/checkbox-field";
import { useShell } from "../shell/shell";
import { NewTabLink } from "../ui/new-tab-link";

/** Accepts the terms and conditions of a certificate order (PUR-08). */
export function TermsField() {
  const { termsAndConditionsLink } = useShell().portal.links;
  return (
    <CheckboxField
      name="termsAndConditionsAccepted"
      label={
        <>
          I agree to the <NewTabLink href={termsAndConditionsLink}>terms and conditions</NewTabLink>
        </>
      }
      hint={
        <>
          With them you accept the{" "}
          <NewTabLink href={paths.policy("subscriber-agreement")}>Subscriber Agreement</NewTabLink>
        </>
      }
    />
  );
}
