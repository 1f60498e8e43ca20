/** Typical small repositories, by their files. None is a copy of a real one. */
export const repositories: Readonly<Record<string, readonly string[]>> = {
  python: words('README.md pyproject.toml src/app/__init__.py src/app/agents.py tests/conftest.py tox.ini .gitignore'),
  'python-old': words('setup.py setup.cfg requirements.txt app/main.py app/credentials.py .env.example Dockerfile'),
  django: words('manage.py site/settings.py site/urls.py templates/agents.html requirements.txt .env.sample'),
  notebook: words('analysis.ipynb environment.yml data/keys.csv data/agents.json README.md'),
  go: words('go.mod go.sum main.go internal/agent/agent.go Makefile .golangci.yml docs/agent.txt'),
  'go-service': words('go.mod cmd/api/main.go Dockerfile docker-compose.yml .github/workflows/test.yml deploy/run.sh'),
  rust: words('Cargo.toml Cargo.lock src/main.rs src/rules.rs build.rs .cargo/config.toml rust-toolchain.toml'),
  'rust-workspace': words('Cargo.toml crates/a/Cargo.toml crates/a/src/lib.rs crates/b/src/prompts.rs AGENTS.md'),
  java: words('pom.xml src/main/java/App.java src/main/resources/app.properties .mvn/wrapper/maven-wrapper.properties'),
  gradle: words('build.gradle.kts settings.gradle.kts gradle.properties src/main/kotlin/App.kt .idea/misc.xml'),
  ruby: words('Gemfile Gemfile.lock Rakefile lib/app.rb spec/app_spec.rb .rspec .rubocop.yml app.gemspec'),
  rails: words(
    'Gemfile config/routes.rb config/credentials.yml.enc config/master.key.md app/models/agent.rb bin/rails',
  ),
  c: words('Makefile src/main.c include/agent.h tests/keys.c configure.ac .clang-format .gitattributes'),
  cmake: words('CMakeLists.txt CMakePresets.json src/main.cpp .clangd .vscode/settings.json .vscode/launch.json'),
  'docs-site': words('package.json docs/agents.md docs/intro.md docs/rules.md docs/mcp.md docs/env.md mkdocs.yml'),
  'docs-of-classes': words('package.json docs/api/Agent.md docs/api/Client.md docs/api/Rules.md src/index.ts'),
  monorepo: words(
    'package.json pnpm-workspace.yaml turbo.json packages/a/package.json packages/b/tsconfig.json CLAUDE.md packages/a/CLAUDE.md .npmrc',
  ),
  nx: words('nx.json package.json apps/web/project.json libs/ui/src/index.ts .husky/pre-commit .mcp.json'),
  dotfiles: words('.bashrc .zshrc .gitconfig .tmux.conf .vimrc .config/fish/config.fish install.sh .inputrc'),
  ansible: words('ansible.cfg site.yml roles/web/tasks/main.yml group_vars/all.yml inventory.ini .vault_pass'),
  terraform: words('main.tf variables.tf outputs.tf terraform.tfvars terraform.tfstate modules/net/main.tf env.tf'),
  nextjs: words('package.json next.config.js app/page.tsx app/agents/page.tsx .env.local .env.example tsconfig.json'),
  vite: words('package.json vite.config.ts src/main.ts index.html .env .env.production .eslintrc.json'),
  'vscode-workspace': words(
    'app.code-workspace .vscode/tasks.json .vscode/extensions.json .devcontainer/devcontainer.json',
  ),
  actions: words(
    'action.yml .github/workflows/ci.yml .github/workflows/release.yml .github/dependabot.yml src/index.ts',
  ),
  gitlab: words('.gitlab-ci.yml .pre-commit-config.yaml src/main.py docs/ci.md lefthook.yml'),
  claude: words(
    'CLAUDE.md .claude/settings.json .claude/commands/test.md .claude/skills/a/SKILL.md .mcp.json src/a.ts',
  ),
  cursor: words('.cursorrules .cursor/rules/a.mdc .cursor/mcp.json src/cursor.ts docs/cursor.md'),
  'many-agents': words(
    'AGENTS.md GEMINI.md .github/copilot-instructions.md .windsurfrules .clinerules/a.md .codex/config.toml opencode.json .aider.conf.yml',
  ),
  direnv: words('.envrc flake.nix mise.toml Makefile src/env.c test/fixtures/id_rsa.pub certs/ca.pem keys/README.md'),
};

function words(text: string): readonly string[] {
  return text.split(' ');
}
