/** The house's walls: see docs/architecture.md. */
const wall = (name, from, to) => ({ name, severity: "error", from: { path: from }, to: { path: to } });

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    { name: "no-unresolved", severity: "error", from: {}, to: { couldNotResolve: true } },
    wall("pages-know-no-storage", "^app/(routes|components|root)", "^(db|migrations|app/ca)/"),
    wall("ca-stands-alone", "^app/ca/", "^(app/(?!ca/|lib/)|db/|migrations/|cli/|server)"),
    wall("signer-stands-alone", "^app/signer/", "^(app/(?!signer/|ca/|lib/)|db/|migrations/|cli/|server)"),
    wall(
      "signer-is-another-process",
      "^(app/(?!signer/)|db|migrations|server)",
      "^app/signer/(?!protocol|journal-entry|statement|standing|factor-register)",
    ),
    wall("db-knows-only-lib", "^db/", "^(app/(?!lib/)|cli/|server)"),
    wall("components-know-no-http", "^app/components/", "^app/(routes|http|api)/"),
    wall("http-knows-no-page", "^app/http/", "^app/(routes|components|api)/"),
    wall("cli-shows-no-pages", "^cli/", "^app/(routes|components|http)/"),
    wall("domain-knows-no-http", "^app/domain/", "^app/(routes|components|http|api)/"),
    wall("migrations-are-frozen", "^migrations/", "^(app|db|cli|server)"),
    wall("no-tests-in-the-product", "^(app|db|cli|migrations|server)", "^tests/"),
    {
      name: "ceremonies-need-no-database",
      severity: "error",
      from: { path: "^app/domain/ceremony/" },
      to: { path: "^db/connection", reachable: true },
    },
    wall("lib-is-the-ground", "^app/lib/", "^(app/(?!lib/)|db/|migrations/|cli/|server)"),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(build|public/build)" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
