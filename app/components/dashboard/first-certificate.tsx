import { type FirstSteps } from "~/domain/homepage/first-certificate.server";
import { OrderProgress } from "../orders/progress";
import { useShell } from "../shell/shell";
import { ButtonRow, LinkButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { DescriptionList } from "../ui/description-list";
import { NewTabLink } from "../ui/new-tab-link";

/** The steps to the first certificate of a company. Only the current one has a primary button. */
export function FirstCertificate({ steps, order }: FirstSteps) {
  const current = steps.find(({ state }) => state === "current")?.name;
  const done = steps.filter(({ state }) => state === "done").length;
  const { prepareCsrLink } = useShell().portal.links;
  const isBegun = steps.some(({ name, state }) => name === "csr" && state === "done");
  const actions = {
    csr: !isBegun && (
      <ButtonRow>
        <LinkButton to={order} variant={current === "csr" ? "primary" : "secondary"}>
          Start the order
        </LinkButton>
        <NewTabLink href={prepareCsrLink}>Prepare key and CSR first</NewTabLink>
      </ButtonRow>
    ),
    ordered: isBegun && (
      <ButtonRow>
        <LinkButton to={order} variant={current === "ordered" ? "primary" : "secondary"} reloadDocument>
          Continue the order
        </LinkButton>
      </ButtonRow>
    ),
  };
  return (
    <div className="order-page">
      <Card title="Get your first certificate" actions={<p className="hint">{`${done} of ${steps.length} done`}</p>}>
        <OrderProgress steps={steps} actions={actions} />
      </Card>
      <Card title="Have these ready">
        <DescriptionList
          items={[
            { term: "Host name", detail: "The name of your OFTP2 server, such as oftp2.example.com" },
            { term: "Contact", detail: "A colleague who can authorise the order" },
            { term: "OFTP ID", detail: "If your partners ask for it" },
            { term: "VAT number", detail: "For the invoice" },
          ]}
        />
      </Card>
    </div>
  );
}
