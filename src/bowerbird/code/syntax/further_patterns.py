"""The patterns of languages whose grammars are an extra: definitions, calls, base classes and imports.

Their references are not read, and neither are what functions give without saying so.
"""

from bowerbird.code.syntax.compiled_patterns import Rules

_CSHARP = Rules(
    """
(method_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name) @method
(local_function_statement name: (_) @name) @function
(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @class
(struct_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(enum_member_declaration name: (_) @name) @constant
(property_declaration name: (_) @name) @constant
(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @constant
""",
    """
(using_directive) @opens
(namespace_declaration name: (_) @package)
(file_scoped_namespace_declaration name: (_) @package)
(invocation_expression function: (_) @called)
(object_creation_expression type: (_) @called)
(base_list (_) @base)
(parameter type: (_) @type name: (identifier) @left)
(variable_declaration type: (_) @type (variable_declarator name: (identifier) @left))
(variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @left (_) @right))
(property_declaration type: (_) @type name: (identifier) @left)
""",
)
_RUBY = Rules(
    """
(method name: (_) @name) @function
(singleton_method name: (_) @name) @function
(class name: (_) @name) @class
(module name: (_) @name) @class
(assignment left: (constant) @name) @constant
""",
    """
(call method: (identifier) @_how arguments: (argument_list (string (string_content) @requires))
    (#any-of? @_how "require" "require_relative" "load"))
(call method: (identifier) @_how arguments: (argument_list [(constant) (scope_resolution)] @base)
    (#any-of? @_how "include" "extend" "prepend"))
(call) @invoked
(superclass [(constant) (scope_resolution)] @base)
(assignment left: (identifier) @left right: (_) @right)
""",
)
_PHP = Rules(
    """
(function_definition name: (_) @name) @function
(method_declaration name: (_) @name) @method
(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @class
(trait_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(enum_case name: (_) @name) @constant
(const_element . (name) @name) @constant
(property_element name: (variable_name (name) @name)) @constant
""",
    """
(namespace_definition name: (_) @package)
(namespace_use_declaration) @brings
(require_expression [(string (string_content) @requires) (_ (string (string_content) @requires))])
(require_once_expression [(string (string_content) @requires) (_ (string (string_content) @requires))])
(include_expression [(string (string_content) @requires) (_ (string (string_content) @requires))])
(include_once_expression [(string (string_content) @requires) (_ (string (string_content) @requires))])
(function_call_expression function: (_) @called)
(member_call_expression) @invoked
(scoped_call_expression) @invoked
(object_creation_expression (name) @called)
(base_clause (name) @base)
(class_interface_clause (name) @base)
(use_declaration (name) @base)
(simple_parameter type: (_) @type name: (variable_name) @left)
(property_declaration type: (_) @type (property_element name: (variable_name (name) @left)))
(assignment_expression left: (variable_name) @left right: (_) @right)
""",
)
_KOTLIN = Rules(
    """
(function_declaration name: (_) @name) @function
(class_declaration name: (_) @name) @class
(object_declaration name: (_) @name) @class
(enum_entry (identifier) @name) @constant
(property_declaration (variable_declaration (identifier) @name)) @constant
""",
    """
(package_header (qualified_identifier) @package)
(import) @brings
(call_expression . (_) @called)
(delegation_specifier (user_type) @base)
(delegation_specifier (constructor_invocation (user_type) @base))
(parameter (identifier) @left (user_type) @type)
(class_parameter (identifier) @left (user_type) @type)
(property_declaration (variable_declaration (identifier) @left (user_type) @type))
(property_declaration (variable_declaration (identifier) @left) (call_expression) @right)
""",
)
_SWIFT = Rules(
    """
(function_declaration name: (simple_identifier) @name) @function
(protocol_function_declaration name: (simple_identifier) @name) @function
(init_declaration name: _ @name) @function
(class_declaration name: (type_identifier) @name) @class
(class_declaration name: (user_type) @name) @impl
(protocol_declaration name: (_) @name) @class
(enum_entry name: (_) @name) @constant
(property_declaration name: (pattern (simple_identifier) @name)) @constant
""",
    """
(call_expression . (_) @called)
(inheritance_specifier inherits_from: (_) @base)
(parameter (simple_identifier) @left (user_type) @type)
(property_declaration name: (pattern (simple_identifier) @left) (type_annotation (user_type) @type))
(property_declaration name: (pattern (simple_identifier) @left) value: (call_expression) @right)
""",
)
_SCALA = Rules(
    """
(function_definition name: (_) @name) @function
(function_declaration name: (_) @name) @function
(class_definition name: (_) @name) @class
(object_definition name: (_) @name) @class
(trait_definition name: (_) @name) @class
(enum_definition name: (_) @name) @class
(val_definition pattern: (identifier) @name) @constant
(var_definition pattern: (identifier) @name) @constant
""",
    """
(package_clause name: (_) @package)
(import_declaration) @brings
(call_expression function: (_) @called)
(instance_expression . (_) @called)
(extends_clause type: (type_identifier) @base)
(parameter name: (identifier) @left type: (_) @type)
(class_parameter name: (identifier) @left type: (_) @type)
(val_definition pattern: (identifier) @left type: (_) @type)
(val_definition pattern: (identifier) @left !type value: (_) @right)
""",
)
_LUA = Rules(
    """
(function_declaration name: (_) @name) @function
(assignment_statement
    (variable_list . name: (_) @name) (expression_list . value: (function_definition))) @function
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @constant)
""",
    """
(assignment_statement (variable_list . name: (identifier) @local) (expression_list . value: (function_call
    name: (identifier) @_how arguments: (arguments (string (string_content) @requires))))
    (#eq? @_how "require"))
(function_call name: (_) @called)
(assignment_statement
    (variable_list . name: (identifier) @left) (expression_list . value: (function_call) @right))
""",
)
_BASH = Rules(
    """
(function_definition name: (_) @name) @function
(program (variable_assignment name: (variable_name) @name) @constant)
""",
    """
(command name: (command_name (word) @_how) . argument: (word) @requires (#any-of? @_how "source" "."))
(command name: (command_name) @called)
""",
)
FURTHER = {
    "csharp": _CSHARP,
    "ruby": _RUBY,
    "php": _PHP,
    "kotlin": _KOTLIN,
    "swift": _SWIFT,
    "scala": _SCALA,
    "lua": _LUA,
    "bash": _BASH,
}
