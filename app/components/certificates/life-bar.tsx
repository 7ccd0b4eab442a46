import { type CertificateDetails } from "~/domain/certificates/catalogue/details.service.server";
import { Note } from "../ui/note";

const NEW_KEY =
  "Its key cannot be used any more, for any certificate. Order a new certificate with a new key, and give it to your partners.";

/** The bar from issue to expiry: what has passed, what is left, and where the renewal opens. The sentence below says the same. */
export function LifeBar({ life, revocation, may }: Pick<CertificateDetails, "life" | "revocation" | "may">) {
  const { bar, words } = life;
  if (words.tone === "bad" && revocation)
    return (
      <Note tone="bad" title={words.text}>
        {revocation.description && <p>{revocation.description}</p>}
        {may.orderNew && <p>{NEW_KEY}</p>}
      </Note>
    );
  if (!bar) return null;
  const { passed, renewal, isSoon } = bar;
  return (
    <div className="card life">
      <svg width="100%" height="26" aria-hidden="true">
        <rect className={isSoon ? "left soon" : "left"} x="0" y="5" width="100%" height="16" rx="2" />
        <rect className="passed" x="0" y="5" width={`${passed}%`} height="16" rx="2" />
        {renewal !== null && <line className="opening" x1={`${renewal}%`} x2={`${renewal}%`} y1="13" y2="26" />}
        {passed < 100 && <line x1={`${passed}%`} x2={`${passed}%`} y1="0" y2="26" />}
      </svg>
      <p>{bar.text}</p>
    </div>
  );
}
