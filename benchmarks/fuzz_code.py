"""Source code examples for `fuzz.py`: a small one for each language that has a grammar."""

from __future__ import annotations

CODE = {
    ".py": (
        "import os\nfrom a.b import (c as d, e)\n\nX: int = 1\n\n@e(1)\nclass A(d.Base, x=1):\n"
        '    """Text."""\n    y = 2\n\n    async def f(self, p: "A", *q, **r) -> int:\n'
        "        z = self.g(p)\n        return [i for i in z if (j := i)]\n\n"
        "def g(a, /, b=lambda x: x):\n    with open(a) as f:\n        return f.read().strip()[0:1]\n"
    ),
    ".js": (
        "import a, { b as c } from './b.js';\nconst d = require('e');\n/** Text. */\nexport class F"
        " extends d.G {\n  #x = 1;\n  static async m(p = {}) { return await this.n(`a${p.q}`); }\n}\n"
        "export default function h(...r) { const { s, t: [u] } = r; return s?.v(u) ?? /x\\/y/g; }\n"
        "module.exports = { h, i: (j) => j };\n"
    ),
    ".ts": (
        "import type { A } from '../a';\nexport interface B<T> extends A { c?: T; d(e: string): void }\n"
        "enum E { X = 1, Y }\nabstract class F implements B<number> {\n  constructor(private g: A) {}\n"
        "  @dec() h<T>(x: T[]): asserts x is T[] { (this.g as any).i(x!); }\n}\n"
        "namespace N { export const j: Record<string, A> = {}; }\n"
    ),
    ".tsx": (
        "import React from 'react';\nexport const A = (p: { b: string }) =>"
        " <div a={p.b}>x<B.C/></div>;\n"
    ),
    ".go": (
        'package main\n\nimport (\n\t"fmt"\n\tb "x.y/z"\n)\n\n'
        "type A struct {\n\tB\n\tc map[string]int\n}\n\n"
        "func (a *A) F(x int, y ...string) (int, error) {\n\tgo func() { b.G(<-ch) }()\n"
        '\tfor i := range y {\n\t\tfmt.Println(i, `raw`)\n\t}\n\treturn a.c["k"], nil\n}\n'
    ),
    ".rs": (
        "use a::{b, c as d};\nmod e;\n#[derive(Debug)]\npub struct F<'a, T: G> { h: &'a T }\n"
        "impl<'a, T: G> F<'a, T> {\n    pub fn i(&self, j: Option<u8>) -> Result<(), E> {\n"
        '        match j { Some(k) if k > 1 => self.h.l(k)?, _ => println!("{}", r#"x"#) }\n'
        "        Ok(())\n"
        "    }\n}\nmacro_rules! m { ($x:expr) => { $x } }\n"
    ),
    ".java": (
        "package a.b;\nimport static c.D.*;\n/** Text. */\n@E(f = 1)\npublic class G<T> extends H"
        " implements I {\n  private final Map<String, T> j = new HashMap<>();\n"
        "  public G(T k) { super(k); }\n"
        "  <U> U l(U m) throws N { return j.stream().map(O::p).toList().get(0); }\n"
        "  record Q(int r) {}\n  enum S { A, B; void t() {} }\n}\n"
    ),
    ".c": (
        '#include <a.h>\n#include "b.h"\n#define M(x) ((x) + 1)\ntypedef struct c { int d[2]; } c_t;\n'
        "static int e(const c_t *f, int (*g)(void)) {\n  if (f->d[0]) { return g(); }\n"
        "#ifdef X\n  goto end;\n"
        "#endif\nend:\n  return M(1);\n}\n"
    ),
    ".cpp": (
        "#include <vector>\nnamespace a::b {\ntemplate <typename T> class C : public D<T> {\n public:\n"
        "  explicit C(int e) : f_(e) {}\n  virtual ~C() = default;\n  auto g() const -> int override;\n"
        " private:\n  int f_;\n};\n}\nint a::b::C<int>::g() const { auto h = [&](auto i) { return i; };"
        ' return h(R"x(y)x"[0]); }\n'
    ),
}
