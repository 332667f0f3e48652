/** Code with constructs that span several lines: comments, strings, embedded languages. */
export const samples: Readonly<Record<string, string>> = {
  typescript: `import { a } from './a';

/** Adds
 * two numbers. */
export async function add<T extends number>(one: T, two = 2): Promise<string> {
  const text = \`\${one}
    and \${two + \`nested \${one}\`}\`;
  // Done.
  return /[a-z]+/.test(text) ? text : await 'x';
}

class Sum extends Base {
  #total = 0x10;
}`,
  python: `from os import path

class A(B):
    """Says
    nothing."""
    def f(self, x: int = 1, *args) -> str:
        return f"{x!r} {self.y:>10}" + r'\\d'  # done`,
  html: `<!doctype html>
<style>
  p { color: red; }
</style>
<p class="a">Text &amp; more</p>
<script>
  const a = "b";
</script>
<!-- a
comment -->`,
  shellscript: `#!/bin/sh
cat <<EOF
Hello $USER
EOF
if [ -f "$1" ]; then echo 'x' | grep -c y; fi`,
  cpp: `#include <vector>
/* a
 comment */
template <typename T> class A : public B { public: virtual int f(const T& x) const { return 42; } };
auto s = R"(raw
string)";`,
  yaml: `a: 1
b: |
  block
  text
c: ["x", true]`,
};
