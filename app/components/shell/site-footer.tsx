import { type Shell } from "~/domain/shell";
import { paths } from "~/lib/paths";
import { ThemeForm } from "./theme-form";

const telephone = (number: string) => `tel:${number.replace(/[^+\d]/g, "")}`;

export function SiteFooter({ shell }: { shell: Shell }) {
  const { legal, links } = shell.portal;
  return (
    <footer className="foot">
      <div className="wrap">
        <address>
          © {shell.loadedAt.slice(0, 4)} {legal.company} · {legal.address} ·{" "}
          {legal.registration.map((entry) => (
            <span key={entry}>{entry} · </span>
          ))}
          Tel. <a href={telephone(legal.phone)}>{legal.phone}</a> · <span className="nowrap">Fax {legal.fax}</span>
        </address>
        <div className="row spread">
          <nav aria-label="Legal and social">
            <ul role="list">
              <FooterLink href={links.termsAndConditionsLink}>Terms</FooterLink>
              <FooterLink href={links.privacyPolicyLink}>Privacy</FooterLink>
              <FooterLink href={links.cookiesLink}>Cookies</FooterLink>
              <FooterLink href={paths.status}>Status</FooterLink>
              <FooterLink href={paths.checkCsr}>Check a CSR</FooterLink>
              <FooterLink href={paths.reportKey}>Report a compromised key</FooterLink>
              {legal.social.map(({ name, url }) => (
                <FooterLink key={name} href={url}>
                  {name}
                </FooterLink>
              ))}
            </ul>
          </nav>
          <ThemeForm theme={shell.theme} />
        </div>
      </div>
    </footer>
  );
}

function FooterLink({ href, children }: { href: string; children: string }) {
  return (
    <li>
      <a href={href}>{children}</a>
    </li>
  );
}
