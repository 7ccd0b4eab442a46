import { useLoaderData } from "@remix-run/react";
import { ButtonRow, LinkButton } from "../ui/buttons";
import { PageHeader } from "../ui/page-header";

interface Refused {
  reason: string;
  /** Where the login begins again. */
  again: string;
  /** The login page with the form. */
  back: string;
}

/** Says why a login through the identity provider was refused, and leads back. */
export function SignOnRefusedPage() {
  const { reason, again, back } = useLoaderData<Refused>();
  return (
    <div className="narrow stack-l">
      <PageHeader title="Single sign-on did not work">
        <p role="alert">{reason}</p>
      </PageHeader>
      <ButtonRow>
        <LinkButton to={again} reloadDocument>
          Try again
        </LinkButton>
        <LinkButton to={back}>Back to the login</LinkButton>
      </ButtonRow>
    </div>
  );
}
